import { changeBy } from '#rules/state/changeBy.ts';
import { numbersSaid } from '#rules/state/stateNumbers.ts';
import { hourMs } from '#rules/time/durations.ts';
import type { HistoryReport } from '#server/devices/stateHistory/historyOf.ts';
import { reportPartitions } from '#server/devices/stateHistory/historyTables.ts';
import { storeHistory } from '#server/devices/stateHistory/storeHistory.ts';
import { hasPartitions } from '#server/infra/db/maintainPartitions.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { SampleDevice } from './sampleDevices.ts';

type Report = Record<string, unknown>;

const everyMinutes = 10;

/** Writes the history of the devices' states, up to their last report. */
export async function makeSampleHistory(
  db: Db,
  { projectId, now }: { projectId: string; now: Date },
  devices: readonly { id: string; reports: readonly PastReport[] }[],
): Promise<void> {
  const reports = devices.flatMap(device => {
    let before: Report = {};
    return device.reports.map(({ ago, said }): HistoryReport => {
      const change = changeBy(before, said);
      before = { ...before, ...said };
      const at = new Date(now.getTime() - ago * hourMs);
      return { projectId, deviceId: device.id, at, change, numbers: numbersSaid(before, said) };
    });
  });
  // If the platform was stopped for long, partitions may be missing: then the project has no history.
  if (!(await hasPartitions(db, reportPartitions, [now, ...reports.map(({ at }) => at)]))) return;
  await storeHistory(db, reports);
  // So that a developer who looks at it at once does not have to wait for the next roll-up.
  await enqueue(db, 'rollUpStates', {});
}

export interface PastReport {
  /** Hours ago. */
  ago: number;
  said: Report;
}

/** Oldest first; the last one is the current report. Only for times when the device was connected. */
export function reportsOf({ reported, past }: SampleDevice, now: Date): PastReport[] {
  if (!past) return [];
  const regular = past.connections.flatMap(({ from, to }) => {
    const count = Math.floor(((from - Math.max(to, past.reported)) * 60) / everyMinutes);
    return Array.from({ length: Math.max(0, count) }, (_, i) => {
      const ago = from - (i * everyMinutes) / 60;
      return { ago, said: stateAt(reported, { ago, end: past.reported, now }) };
    });
  });
  const openings = past.events.flatMap(({ ago, name }): PastReport[] => {
    if ('window' in reported && name === 'window-opened')
      return [
        { ago, said: { window: 'open' } },
        { ago: Math.max(ago - 0.3, past.reported), said: { window: 'closed' } },
      ];
    return name === 'opened' || name === 'closed' ? [{ ago, said: { open: name === 'opened' } }] : [];
  });
  return [...regular, ...openings, { ago: past.reported, said: reported }].toSorted((a, b) => b.ago - a.ago);
}

interface Moment {
  ago: number;
  end: number;
  now: Date;
}

/** The report at that time: warmer by day than by night, and each value moving towards the last one. */
function stateAt(reported: Report, { ago, end, now }: Moment): Report {
  const { temperature, target, battery, open, ...others } = reported;
  const hourOfDay = (hoursAgo: number) => ((now.getTime() / hourMs - hoursAgo) % 24) + 0;
  const warmth = (hoursAgo: number) => Math.sin(((hourOfDay(hoursAgo) - 9) / 24) * 2 * Math.PI);
  const isNight = hourOfDay(ago) >= 22 || hourOfDay(ago) < 5;
  const flicker = Math.sin(ago * 37) * 0.15 + Math.sin(ago * 101) * 0.1;
  const number = (value: unknown, of: (value: number) => number) =>
    typeof value === 'number' ? of(value) : undefined;
  const said = {
    temperature: number(temperature, last => last + 1.4 * (warmth(ago) - warmth(end)) + flicker),
    target: number(target, last => (isNight && ago - end > 3 ? Math.min(last, 17) : last)),
    battery: number(battery, last => Math.min(100, Math.round(last + (ago - end) / 24))),
  };
  const numbers = Object.entries(said).filter(([, value]) => value !== undefined);
  const rounded = numbers.map(([name, value = 0]) => [name, Math.round(value * 10) / 10]);
  return {
    ...others,
    ...(others.window !== undefined && { window: 'closed' }),
    ...(open !== undefined && { open: false }),
    ...Object.fromEntries(rounded),
  };
}
