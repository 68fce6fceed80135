import { stretchesOf, summaryOf } from '#console/devices/presence/presenceStretches.ts';
import { Dash } from '#console/ui/list/TwoLines.tsx';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { DeviceRow } from '#contract/device.ts';
import { dayMs } from '#rules/time/durations.ts';
import { usePulse } from './Pulses.tsx';
import css from './pulse.module.css';

const spanMs = dayMs;
const width = 120;
/** Even the shortest connection stays visible. */
const widthMin = 1;

/** When a device was connected during the last day, in a cell. */
export function PulseStrip({ device: { id, creationTime, connectionStatus } }: { device: DeviceRow }) {
  const pulse = usePulse(id);
  const now = useNow();
  // Not "disconnected", as the device never connected: nothing is on record.
  if (connectionStatus === 'never')
    return <svg className={css.strip} role="img" aria-label="Never connected" />;
  if (pulse === null) return <Dash said="Could not be loaded" />;
  // Drawn while loading as well: the column takes its width from this cell, which can shrink, and keeps it.
  if (!pulse) return <svg className={css.strip} data-waiting aria-hidden="true" />;
  const from = now - spanMs;
  const stretches = stretchesOf(pulse.presence, {
    from,
    to: now,
    recordedFrom: Date.parse(creationTime),
  });
  const x = (at: number) => ((at - from) / spanMs) * width;
  const said = summaryOf(stretches);
  return (
    <span title={said}>
      <svg
        className={css.strip}
        viewBox={`0 0 ${width} 8`}
        preserveAspectRatio="none"
        role="img"
        aria-label={said}
      >
        {stretches.map(({ from: begins, to, kind }) => (
          <rect
            key={begins}
            className={css.part}
            data-kind={kind}
            x={x(begins)}
            width={Math.max(widthMin, x(to) - x(begins))}
            height="8"
          />
        ))}
      </svg>
    </span>
  );
}
