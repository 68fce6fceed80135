import { noBackupRuns } from '#server/db/backupLock.ts';
import { raw, sql } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';

/**
 * Empties the partition whose turn is next, with what is more than a day old, and removes rows of transactions that this
 * database has yet to count to: they came with a backup. By the clock of the database, which places the rows.
 */
export async function keepRing({ db }: Pick<Platform, 'db'>): Promise<void> {
  await db.tx(async tx => {
    if (!(await noBackupRuns(tx))) return;
    const row = await tx.one<{ slot: number }>(sql`
      select (floor(extract(epoch from clock_timestamp()) / 10800)::bigint + 1) % 10 as slot`);
    const partition = raw(`home_events_${Number(row?.slot)}`);
    // Looked for first: emptying keeps readers out for a moment.
    const old = await tx.one(sql`select 1 as found from ${partition} limit 1`);
    if (old) await tx.run(sql`truncate ${partition}`);
  });
  await db.run(sql`delete from home_events where tx > pg_snapshot_xmax(pg_current_snapshot())`);
}
