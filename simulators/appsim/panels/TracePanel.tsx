import { useStore } from '#console/core/store.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { AppSimulation } from '../simulation.ts';
import { hopsOf, isOver, type Traced } from '../trace/hops.ts';
import css from './panels.module.css';

/** The path of the latest tap to the device and back, with the time of each hop. */
export function TracePanel({ simulation }: { simulation: AppSimulation }) {
  const traced = useStore(simulation.trace.latest);
  const hops = traced ? hopsOf(traced) : [];
  const last = hops.at(-1);
  return (
    <Panel title="From tap to motor" action={traced && last && isOver(traced) && <Total ms={last.ms} />}>
      {traced ? (
        <ol className={css.hops} aria-label={`Hops of ${traced.label}`}>
          <li>
            <span aria-hidden="true">·</span>
            <span dir="auto">{traced.label}</span>
            <span>0 ms</span>
          </li>
          {hops.map(({ way, text, code, ms }) => (
            <li key={text} data-way={way}>
              <span title={way === 'up' ? 'to the platform' : 'from the platform'}>
                {way === 'up' ? '↑' : '↓'}
              </span>
              <span>
                {text} {code && <code>{code}</code>}
              </span>
              <span>{msText(ms)}</span>
            </li>
          ))}
          <Waiting traced={traced} />
        </ol>
      ) : (
        <p className={css.quiet}>Use a device’s controls on the phone. Each hop appears here.</p>
      )}
    </Panel>
  );
}

function Total({ ms }: { ms: number }) {
  return <b className={css.total}>{msText(ms)}</b>;
}

function Waiting({ traced }: { traced: Traced }) {
  if (traced.refusal !== undefined)
    return (
      <li className={css.refused}>
        <span aria-hidden="true">×</span>
        <span>
          Refused: <code>{traced.refusal}</code>
        </span>
      </li>
    );
  if (isOver(traced)) return null;
  return (
    <li>
      <span aria-hidden="true">…</span>
      <span className={css.quiet}>{traced.answeredMs ? 'waiting for the device' : 'on its way'}</span>
    </li>
  );
}

function msText(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  return whole < 10_000 ? `${whole} ms` : `${(whole / 1000).toFixed(1)} s`;
}
