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
export async function keepHistory(db: Db, reports: readonly HistoryReport[]): Promise<void> {
  await keepChanges(db, reports);
  await keepNumbers(db, reports);
}

async function keepChanges(db: Db, reports: readonly HistoryReport[]): Promise<void> {
  const changes = reports.flatMap(({ change, ...of }) => (change ? [{ ...of, ...change }] : []));
  if (changes.length === 0) return;
  await db.run(sql`
    insert into state_changes (project_id, device_id, ts, patch, undo)
    select * from unnest(
      ${changes.map(({ projectId }) => projectId)}::text[], ${changes.map(({ deviceId }) => deviceId)}::text[],
      ${changes.map(({ at }) => at)}::timestamptz[], ${changes.map(({ patch }) => JSON.stringify(patch))}::json[],
      ${changes.map(({ undo }) => JSON.stringify(undo))}::json[])`);
}

async function keepNumbers(db: Db, reports: readonly HistoryReport[]): Promise<void> {
  const said = reports.filter(({ numbers }) => numbers !== undefined);
  if (said.length === 0) return;
  await db.run(sql`
    insert into state_numbers (project_id, device_id, ts, numbers)
    select * from unnest(
      ${said.map(({ projectId }) => projectId)}::text[], ${said.map(({ deviceId }) => deviceId)}::text[],
      ${said.map(({ at }) => at)}::timestamptz[], ${said.map(({ numbers }) => JSON.stringify(numbers))}::jsonb[])`);
}
