import { quarterMs, storePastConnected } from '#server/devices/fleet/connectedHistory.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { countPastMessages } from '#server/projects/stats/traffic.ts';
import type { PastReport } from './makeSampleHistory.ts';
import { hoursAgo } from './makeSamplePast.ts';
import type { SampleDevice } from './sampleDevices.ts';

/** Slightly more than the chart of the overview shows. */
const quarters = 26 * 4;

/** Writes the counts for the overview: the messages that devices sent, and the number of connected devices. */
export async function makeSampleFigures(
  db: Db,
  { projectId, now }: { projectId: string; now: Date },
  devices: readonly (SampleDevice & { reports: readonly PastReport[] })[],
): Promise<void> {
  const messages = devices.flatMap(({ deviceClass, reports, past }) =>
    [...reports, ...(past?.events ?? [])].map(({ ago }) => ({
      projectId,
      deviceClass,
      at: hoursAgo(now, ago),
    })),
  );
  await countPastMessages(db, messages);
  const current = Math.floor(now.getTime() / quarterMs) * quarterMs;
  const byClass = Map.groupBy(devices, ({ deviceClass }) => deviceClass);
  const history = [...byClass, ['', devices] as const].flatMap(([deviceClass, ofClass]) =>
    Array.from({ length: quarters }, (_, i) => {
      const at = new Date(current - (i + 1) * quarterMs);
      const end = new Date(at.getTime() + quarterMs);
      const connected = connectedAt(ofClass, { at: end, now });
      return { deviceClass, at, connected, low: Math.min(connected, connectedAt(ofClass, { at, now })) };
    }),
  );
  await storePastConnected(db, projectId, history);
}

function connectedAt(devices: readonly SampleDevice[], { at, now }: { at: Date; now: Date }): number {
  const isConnected = ({ from, to }: { from: number; to: number }) =>
    hoursAgo(now, from) <= at && at < hoursAgo(now, to);
  return devices.filter(({ past }) => past?.connections.some(isConnected)).length;
}
