import { useState } from 'react';
import { shortReason } from '#console/devices/deviceWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { absoluteTime, durationText, useNow } from '#console/ui/state/TimeAgo.tsx';
import type { Presence } from '#contract/device.ts';
import css from './presence.module.css';
import { type Stretch, stretchesOf, summaryOf } from './presenceStretches.ts';

interface PresenceStripProps {
  presence: Presence;
  spanMs: number;
  /** Before it was made there is nothing to tell. */
  madeAt: string;
}

const width = 1000;
const height = 24;
/** However short it was, it is seen. */
const widthMin = 4;

/** When the device was connected, as a strip, with the same as a table behind it. */
export function PresenceStrip({ presence, spanMs, madeAt }: PresenceStripProps) {
  const [asTable, setAsTable] = useState(false);
  const now = useNow();
  const from = now - spanMs;
  const stretches = stretchesOf(presence, Math.max(from, Date.parse(madeAt)), now);
  const summary = summaryOf(stretches);
  return (
    <div>
      {asTable ? (
        <Table stretches={stretches} />
      ) : (
        <figure className={css.figure}>
          <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={summary}>
            {stretches.map(one => (
              <Part key={one.from} of={one} from={from} spanMs={spanMs} />
            ))}
          </svg>
          <figcaption className={css.axis} aria-hidden="true">
            {[0, 0.25, 0.5, 0.75].map(part => (
              <span key={part}>{tickText(from + part * spanMs, spanMs)}</span>
            ))}
            <span>now</span>
          </figcaption>
        </figure>
      )}
      <div className={css.foot}>
        <p>{summary}</p>
        <Button variant="quiet" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'As strip' : 'As table'}
        </Button>
      </div>
    </div>
  );
}

function Part({
  of: { from: begins, to, kind, reason },
  from,
  spanMs,
}: {
  of: Stretch;
  from: number;
  spanMs: number;
}) {
  const wide = Math.max(widthMin, ((to - begins) / spanMs) * width);
  const why = kind === 'connected' ? 'Connected' : `Disconnected${reason ? `, ${shortReason(reason)}` : ''}`;
  return (
    <rect
      className={css.part}
      data-kind={kind}
      x={Math.min(((begins - from) / spanMs) * width, width - wide)}
      width={wide}
      height={height}
    >
      <title>{`${why}: ${timeText(begins)} to ${timeText(to)} (${durationText(to - begins)})`}</title>
    </rect>
  );
}

function Table({ stretches }: { stretches: readonly Stretch[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus
    <section className={css.scroll} aria-label="Presence as a table" tabIndex={0}>
      <table className={css.table} aria-label="Presence">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Duration</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {stretches.toReversed().map(({ from, to, kind, reason }) => (
            <tr key={from}>
              <td>
                <time
                  dateTime={new Date(from).toISOString()}
                  title={absoluteTime(new Date(from).toISOString())}
                >
                  {timeText(from)}
                </time>
              </td>
              <td>{durationText(to - from)}</td>
              <td>{kind === 'connected' ? 'connected' : (shortReason(reason) ?? 'away')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });
const moment = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });

function tickText(at: number, spanMs: number): string {
  return (spanMs > 2 * 86_400_000 ? weekday : hour).format(at);
}

function timeText(at: number): string {
  return moment.format(at);
}
