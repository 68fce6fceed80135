import type { Change } from '#rules/state/changeBy.ts';
import type { Partitioned } from '#server/db/maintainPartitions.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** As long as smart modules look back, and a replay. */
export const changePartitions: Partitioned = { table: 'state_changes', by: 'day', keptDays: 7 };

export interface StateChange extends Change {
  projectId: string;
  deviceId: string;
  at: Date;
}

/** Stores what reports changed, in their order; in the transaction that saves the states. */
export async function keepChanges(db: Db, changes: readonly StateChange[]): Promise<void> {
  if (changes.length === 0) return;
  await db.run(sql`
    insert into state_changes (project_id, device_id, ts, patch, undo)
    select * from unnest(
      ${changes.map(({ projectId }) => projectId)}::text[], ${changes.map(({ deviceId }) => deviceId)}::text[],
      ${changes.map(({ at }) => at)}::timestamptz[], ${changes.map(({ patch }) => JSON.stringify(patch))}::json[],
      ${changes.map(({ undo }) => JSON.stringify(undo))}::json[])`);
}
