import type { Change } from '#rules/state/changeBy.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** What a report means for the history of its device. */
export interface HistoryReport {
  projectId: string;
  deviceId: string;
  at: Date;
  /** What it changed. */
  change: Change | undefined;
  /** The numbers that it said, by path. */
  numbers: Record<string, number> | undefined;
}

/** Stores what reports changed, in their order, and the numbers that they said; in the transaction that saves the states. */
export async function keepHistory(db: Db, all: readonly HistoryReport[]): Promise<void> {
  const reports = all.filter(({ change, numbers }) => change !== undefined || numbers !== undefined);
  if (reports.length === 0) return;
  await db.run(sql`
    insert into state_reports (project_id, device_id, ts, patch, undo, numbers)
    select * from unnest(
      ${reports.map(({ projectId }) => projectId)}::text[], ${reports.map(({ deviceId }) => deviceId)}::text[],
      ${reports.map(({ at }) => at)}::timestamptz[], ${reports.map(({ change }) => textOf(change?.patch))}::json[],
      ${reports.map(({ change }) => textOf(change?.undo))}::json[],
      ${reports.map(({ numbers }) => textOf(numbers))}::json[])`);
}

const textOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
