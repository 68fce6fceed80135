import { sql } from '#server/db/sql.ts';
import { batch } from '#server/jobs/housekeeping.ts';
import type { Platform } from '#server/platform.ts';

/**
 * Rows of transactions that this database has yet to count to came with a backup. They count as long read: a reader would
 * take them for new once it has counted so far. They stay, because states of the past are found by undoing them.
 */
export async function settleRestored({ db }: Pick<Platform, 'db'>): Promise<void> {
  let settled: number;
  do {
    settled = await db.run(sql`
      update state_changes set tx = '3' where (project_id, device_id, ts, seq) in (
        select project_id, device_id, ts, seq from state_changes
        where tx > pg_snapshot_xmax(pg_current_snapshot()) limit ${batch})`);
  } while (settled === batch);
}
