import { useStore } from '#console/core/store.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { absoluteTime, millisecondText } from '#console/ui/time/dateTexts.ts';
import type { AnsweredRequest } from '../deviceLog.ts';
import css from '../devicesim.module.css';
import type { Simulation } from '../simulation.ts';

const outcomes = {
  answering: 'answering',
  uploaded: 'uploaded',
  nologs: 'no logs',
  failure: 'failed',
  over: 'cancelled',
} as const satisfies Record<AnsweredRequest['outcome'], string>;

/** Log requests, with their outcome. */
export function RequestsPanel({ simulation: { log } }: { simulation: Simulation }) {
  const requests = useStore(log.requests);
  return (
    <Panel title="Log requests">
      <div className={css.stack}>
        <div className={css.line}>
          <span className={css.quiet}>Answer with</span>
          <Segments
            label="Answer log requests with"
            options={[
              { value: 'lines', label: 'its lines' },
              { value: 'nothing', label: 'no logs' },
              { value: 'failure', label: 'a failure' },
            ]}
            chosen={useStore(log.gives)}
            onChange={value => log.gives.set(value)}
          />
        </div>
        {requests.length === 0 && (
          <p className={css.quiet}>
            No log requests yet. Create one on the device’s logs page in the console.
          </p>
        )}
        <ul className={css.rows} aria-label="Log requests">
          {requests.map(({ id, at, start, end, prefixes, outcome }) => (
            <li key={id} className={css.row}>
              <time dateTime={at.toISOString()}>{millisecondText(at)}</time>
              <span className={css.cut}>
                {absoluteTime(start.toISOString())} to {absoluteTime(end.toISOString())}
                {prefixes.length > 0 && `, ${prefixes.join(', ')}`}
              </span>
              <span data-tone={outcome === 'uploaded' ? 'ok' : outcome === 'failure' ? 'danger' : 'wait'}>
                {outcomes[outcome]}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
