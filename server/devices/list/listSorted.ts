import { type Database, empty, sql } from '#server/db/sql.ts';
import { listedColumns } from '#server/devices/device.ts';
import { beyond, ordered } from './listOrder.ts';
import { type PageRow, sourceOf, type Wanted } from './listPage.ts';

export interface Sorted {
  rows: PageRow[];
  /** How many match in all. */
  total: number;
}

/**
 * A page out of all that match: found by whatever index knows them best, then sorted. With `max` it gives up where
 * there are more: then `total` is greater and there are no rows. Undefined when there was no time.
 */
export async function sorted(
  db: Database,
  { filter, order, skip, limit }: Wanted,
  { withinMs, max }: { withinMs: number; max?: number },
): Promise<Sorted | undefined> {
  const { after: _, ...whole } = order;
  const after = beyond(order, sql`key`, sql`id`);
  const bound = max === undefined ? empty : sql`limit ${max + 1}`;
  const isFew = max === undefined ? sql`true` : sql`total <= ${max}`;
  const rows = await db.within<PageRow & { total: number }>(
    withinMs,
    sql`
      with found as materialized (${sourceOf(filter, whole)} ${bound}),
      counted as materialized (select count(*)::int as total from found),
      page as materialized (
        select id, key from found, counted where ${isFew} ${after ? sql`and ${after}` : empty}
        ${ordered(order, sql`key`, sql`id`)} limit ${limit} offset ${skip})
      select counted.total, ${listedColumns}, page.key::text as key
      from counted left join (
        page join devices d on d.id = page.id
        left join device_presence s on s.project_id = d.project_id and s.device_id = d.id) on true
      ${ordered(order, sql`page.key`, sql`page.id`)}`,
  );
  // Without a device the row is there for the total alone.
  return rows && { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}
