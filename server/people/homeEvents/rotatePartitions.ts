import { noBackupRuns } from '#server/infra/db/backupLock.ts';
import { raw, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

/**
 * Empties the partition that is next in turn, whose rows are more than a day old, and deletes rows of transactions
 * whose ids this database has not reached yet: they come from a restored backup. Uses the clock of the database, which
 * also decides the partition of each row.
 */
export async function rotatePartitions({ db }: Pick<Platform, 'db'>): Promise<void> {
  await db.tx(async tx => {
    if (!(await noBackupRuns(tx))) return;
    const row = await tx.one<{ slot: number }>(sql`
      select (floor(extract(epoch from clock_timestamp()) / 10800)::bigint + 1) % 10 as slot`);
    const partition = raw(`home_events_${Number(row?.slot)}`);
    // Checked first, because `truncate` blocks readers for a moment.
    const old = await tx.one(sql`select 1 as found from ${partition} limit 1`);
    if (old) await tx.run(sql`truncate ${partition}`);
  });
  await db.run(sql`delete from home_events where tx > pg_snapshot_xmax(pg_current_snapshot())`);
}
