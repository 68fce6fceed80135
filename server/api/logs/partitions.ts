import { keptFrom as keptFromOf, type Partitioned } from '#server/infra/db/maintainPartitions.ts';
import type { Stream } from './append.ts';

/** The log, by stream: audit log entries are kept for a year, the others for a month. */
export const logPartitions: Record<Stream, Partitioned> = {
  audit: { table: 'log_entries_audit', by: 'month', keptDays: 365, isDroppedBySlice: true },
  system: { table: 'log_entries_system', by: 'month', keptDays: 30 },
  http: { table: 'log_entries_http', by: 'month', keptDays: 30 },
};

/** Entries from this time on are kept. */
export const keptFrom = (stream: Stream, now: Date): Date => keptFromOf(logPartitions[stream], now);
