import { useRead } from '#console/core/api.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { PresenceStrip } from '#console/devices/presence/PresenceStrip.tsx';
import { stretchesOf } from '#console/devices/presence/presenceStretches.ts';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { hourText } from '#console/ui/time/dateTexts.ts';
import type { AlertDetail } from '#contract/alert.ts';
import { readPresence } from '#contract/presence.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import css from './drawer.module.css';

/** Whether the device was connected an hour before and after the alert. */
export function AlertPresence({ alert }: { alert: Pick<AlertDetail, 'deviceId' | 'raisedAt'> }) {
  const at = Date.parse(alert.raisedAt);
  const from = at - hourMs;
  const to = Math.min(at + hourMs, Math.ceil(serverNow() / minuteMs) * minuteMs);
  const query = { begin: new Date(from).toISOString(), end: new Date(to).toISOString() };
  const read = useRead(readPresence, { params: { deviceId: alert.deviceId }, query });
  if (!read.data) return read.error ? null : <Skeleton lines={3} />;
  const stretches = stretchesOf(read.data, { from, to, recordedFrom: from });
  const was = stretches.findLast(one => one.from <= at)?.kind === 'connected';
  return (
    <section className={css.value} aria-label="Presence around the alert">
      <header className={css.head}>
        <h3>Presence</h3>
        <span>an hour either side</span>
      </header>
      <PresenceStrip
        stretches={stretches}
        drops={[]}
        from={from}
        spanMs={to - from}
        end={hourText(to)}
        summary={was ? 'Connected when the alert was raised' : 'Not connected when the alert was raised'}
        chosen={undefined}
        onChoose={() => undefined}
      />
    </section>
  );
}
