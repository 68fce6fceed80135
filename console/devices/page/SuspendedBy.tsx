import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { readDeviceLogEntries } from '#contract/logRequest.ts';
import { dayMs } from '#rules/time/durations.ts';

/** The longest period of one log query. */
const spanMs = 92 * dayMs;

/** Who suspended a device and when, according to its system log; nothing if the log does not go back that far. */
export function SuspendedBy({ deviceId }: { deviceId: string }) {
  const [range] = useState(() => {
    const end = serverNow() + dayMs;
    return { begin: new Date(end - spanMs).toISOString(), end: new Date(end).toISOString() };
  });
  const query = { ...range, action: 'suspendDevice', maxEntries: 1 };
  const entry = useRead(readDeviceLogEntries, { params: { deviceId }, query }).data?.[0];
  if (!entry) return null;
  const { displayName, id } = entry.actor;
  return (
    <>
      by <span dir="auto">{displayName || id}</span>, <TimeAgo time={entry.ts} />
    </>
  );
}
