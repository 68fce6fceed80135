import { sql } from '#server/infra/db/sql.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Resolves once this many statements wait for a lock, such as calls made while a transaction of the test holds it. */
export async function untilWaiting({ platform: { db } }: World, count: number): Promise<void> {
  await until(async () => {
    const row = await db.one<{ count: number }>(sql`
      select count(*)::int as count from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`);
    return row?.count === count || undefined;
  });
}
