import type { DeviceRow, listDevices } from '#contract/device.ts';
import { type Db, raw, sql } from '#server/db/sql.ts';
import type { Call } from '#server/http/route.ts';
import { type ListedRow, listedColumns, toListed } from './device.ts';
import { matching } from './filters.ts';

const orders: Record<string, string> = {
  creationTime: 'd.id',
  tag: 'd.tag',
  name: 'd.name',
  lastSeen: 's.seen_at',
};

export async function devicesOf({
  db,
  query,
  page,
  now,
}: Call<typeof listDevices>): Promise<{ items: DeviceRow[]; total: number }> {
  const from = sql`
    from devices d join device_presence s on s.project_id = d.project_id and s.device_id = d.id
    where ${matching(query)}`;
  const direction = page.descending ? 'desc' : 'asc';
  const rows = await db.many<ListedRow>(sql`
    select ${listedColumns} ${from}
    order by ${raw(`${orders[page.sortBy]} ${direction}, d.id ${direction}`)}
    limit ${page.limit} offset ${page.skip}`);
  const counted = await countOf(db, from);
  return { items: rows.map(row => toListed(row, now)), total: counted };
}

async function countOf(db: Db, from: ReturnType<typeof sql>): Promise<number> {
  return (await db.one<{ total: number }>(sql`select count(*)::int as total ${from}`))?.total ?? 0;
}
