import { listModuleEvents } from '#contract/moduleRun.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { noBackupRuns } from '#server/infra/db/backupLock.ts';
import { raw, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { listEvents } from './listEvents.ts';
import { wipeChanges } from './wipeChanges.ts';

/** The events that smart modules receive. */
export const moduleEvents: Slice = {
  tables: { device_changes: 'A change of a device that smart modules receive as an event.' },
  routes: [on(listModuleEvents, listEvents)],
  hourly: emptyOldest,
  wipesReleased: wipeChanges,
};

/** Empties the partition that is next in turn, whose rows are more than a week old, by the clock of the database. */
async function emptyOldest({ db }: Pick<Platform, 'db'>): Promise<void> {
  await db.tx(async tx => {
    if (!(await noBackupRuns(tx))) return;
    const row = await tx.one<{ slot: number }>(sql`
      select ((floor(extract(epoch from clock_timestamp()) / 86400)::bigint + 1) % 9)::int as slot`);
    const partition = raw(`device_changes_${Number(row?.slot)}`);
    // Checked first, because `truncate` blocks readers for a moment.
    const old = await tx.one(sql`select 1 as found from ${partition} limit 1`);
    if (old) await tx.run(sql`truncate ${partition}`);
  });
}
