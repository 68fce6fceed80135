import { sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';
import type { Platform } from '#server/infra/platform.ts';

/**
 * Marks rows of transactions that this database has not reached yet, which come from a backup, as read long ago:
 * otherwise, a reader would take them for new once the ids have caught up. The rows stay, because undoing them yields
 * past states. Waits for the first roll-up, which still needs these transaction ids to identify what it has counted.
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
