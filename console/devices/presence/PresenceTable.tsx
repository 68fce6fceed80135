import { shortReason } from '#console/devices/deviceWords.ts';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import { durationText } from '#console/ui/time/TimeAgo.tsx';
import css from './presence.module.css';
import type { Stretch } from './presenceStretches.ts';
import { spanText } from './presenceTimes.ts';

/** The strip as a table, newest first. */
export function PresenceTable({ stretches }: { stretches: readonly Stretch[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus
    <section className={css.scroll} aria-label="Presence as a table" tabIndex={0}>
      <table className={css.table} aria-label="Presence">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Duration</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {stretches.toReversed().map(one => (
            <tr key={one.from}>
              <td>
                <time
                  dateTime={new Date(one.from).toISOString()}
                  title={absoluteTime(new Date(one.from).toISOString())}
                >
                  {spanText(one)}
                </time>
              </td>
              <td>{durationText(one.to - one.from)}</td>
              <td>{stateText(one)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function stateText({ kind, reason }: Stretch): string {
  if (kind === 'connected') return 'connected';
  return kind === 'unrecorded' ? 'no record' : (shortReason(reason) ?? 'disconnected');
}
