import { retentionDays } from '#rules/time/retention.ts';
import { keptFrom as keptFromOf, type Partitioned } from '#server/infra/db/maintainPartitions.ts';
import type { Stream } from './append.ts';

/** The log, by stream. */
export const logPartitions: Record<Stream, Partitioned> = {
  audit: {
    table: 'log_entries_audit',
    by: 'month',
    keptDays: retentionDays.auditLog,
    isDroppedBySlice: true,
  },
  system: { table: 'log_entries_system', by: 'month', keptDays: retentionDays.systemLog },
  http: { table: 'log_entries_http', by: 'month', keptDays: retentionDays.httpLog },
};

/** Entries from this time on are kept. */
export const keptFrom = (stream: Stream, now: Date): Date => keptFromOf(logPartitions[stream], now);
