import { raw, sql } from '#server/infra/db/sql.ts';
import type { World } from './world.ts';

/** Creates a partition for rows, because the gateway's housekeeping, which creates partitions, may not have run yet. */
export async function aPartition(
  { platform }: World,
  table: 'device_events' | 'presence_changes' | 'state_reports',
): Promise<void> {
  const found = await platform.db.one(sql`select from pg_inherits where inhparent = ${table}::regclass`);
  if (!found) await platform.db.run(sql`${raw(`create table ${table}_all partition of ${table} default`)}`);
}
