import { sql } from '#server/db/sql.ts';
import { batch } from '#server/jobs/housekeeping.ts';
import type { Platform } from '#server/platform.ts';

/**
 * Rows of transactions that this database has yet to count to came with a backup. They count as long read: a reader would
 * take them for new once it has counted so far. They stay, because states of the past are found by undoing them. The
 * roll-up comes first, as long as it tells by these transactions what it has added.
 */
export async function settleRestored({ db }: Pick<Platform, 'db'>): Promise<void> {
  let settled: number;
  do {
    settled = await db.run(sql`
      update state_reports set tx = '3' where (tableoid, ctid) in (
        select tableoid, ctid from state_reports
        where tx > pg_snapshot_xmax(pg_current_snapshot()) limit ${batch})
      and not exists (
        select from state_rollup where pg_snapshot_xmax(seen) > pg_snapshot_xmax(pg_current_snapshot()))`);
  } while (settled === batch);
}
