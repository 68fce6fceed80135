import { maintainPartitions, type Partitioned } from '#server/db/maintainPartitions.ts';
import type { Database } from '#server/db/sql.ts';

/** What devices said, and when they came and went, stays so long. */
const keptDays = 30;

export const eventPartitions: Partitioned = { table: 'device_events', by: 'week', keptDays };
export const presencePartitions: Partitioned = { table: 'presence_changes', by: 'week', keptDays };

export function maintainDevicePartitions(db: Database, now: Date): Promise<void> {
  return maintainPartitions(db, [eventPartitions, presencePartitions], now);
}
