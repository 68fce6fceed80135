import { type Database, empty, sql } from '#server/infra/db/sql.ts';
import type { Listed } from './declaration.ts';
import { beyond, ordered } from './order.ts';
import { type PageRow, sourceOf, tablesOf, type Wanted } from './pageQuery.ts';

interface Sorted<Row> {
  rows: PageRow<Row>[];
  /** The number of matches. */
  total: number;
}

/**
 * Finds all matches by the best index, then sorts them. With `max`, gives up if there are more: then `total` is
 * greater and there are no rows. Undefined if time ran out.
 */
export async function sortedPage<F, R extends Listed>(
  db: Database,
  wanted: Wanted<F, R>,
  { withinMs, max }: { withinMs: number; max?: number },
): Promise<Sorted<R> | undefined> {
  const { list, order, skip, limit } = wanted;
  const { after: _, ...whole } = order;
  const after = beyond(order, sql`key`, sql`id`);
  const bound = max === undefined ? empty : sql`limit ${max + 1}`;
  const isFew = max === undefined ? sql`true` : sql`total <= ${max}`;
  const rows = await db.within<PageRow<R> & { total: number }>(
    withinMs,
    sql`
      with found as materialized (${sourceOf({ ...wanted, order: whole })} ${bound}),
      counted as materialized (select count(*)::int as total from found),
      page as materialized (
        select id, key from found, counted where ${isFew} ${after ? sql`and ${after}` : empty}
        ${ordered(order, sql`key`, sql`id`)} limit ${limit} offset ${skip})
      select counted.total, ${list.columns}, page.key::text as key
      from counted left join (page join ${tablesOf(wanted, 'page')}) on true
      ${ordered(order, sql`page.key`, sql`page.id`)}`,
  );
  // If the page has no rows, the query returns one row for the total alone.
  return rows && { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}
