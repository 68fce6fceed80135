import { type Database, join, type Sql, sql } from '#server/infra/db/sql.ts';
import type { Place } from './cursor.ts';
import type { ListDeclaration, Listed } from './declaration.ts';
import { ordered } from './order.ts';
import { conditionsOf, type PageRow, placesQuery, rowsOf, tablesOf, type Wanted } from './pageQuery.ts';

/** Rows examined in one step. */
const stepMax = 5_000;

/**
 * Examines the rows of an owner or a group one by one in the requested order, until the page is full or time is up. For
 * the few queries that no index answers; the page may then be short, with the position to continue from.
 */
export async function walk<F, R extends Listed>(
  db: Database,
  wanted: Wanted<F, R>,
  withinMs: number,
): Promise<{ rows: PageRow<R>[]; goesOnAfter?: Place }> {
  const all = { ...wanted, list: unfiltered(wanted.list), search: undefined };
  const stopAt = performance.now() + withinMs;
  const missing = () => wanted.skip + wanted.limit - rows.length;
  const rows: PageRow<R>[] = [];
  for (let order = wanted.order; ; ) {
    const step = { ...all, order, skip: 0, limit: stepMax };
    const candidates = await placesQuery(db, step);
    const matching = matchingOf({ ...wanted, order, limit: missing() }, candidates);
    rows.push(...(await db.search<PageRow<R>>(matching)));
    if (missing() <= 0) break;
    const end = await placesQuery(db, { ...step, skip: stepMax - 1, limit: 1 });
    const [last] = await db.search<Place>(sql`select id, key::text as key from (${end}) last`);
    if (!last) break;
    if (performance.now() > stopAt) return { rows: rows.slice(wanted.skip), goesOnAfter: last };
    order = { ...order, after: last };
  }
  return { rows: rows.slice(wanted.skip) };
}

/** The same list without its conditions. */
function unfiltered<F, R extends Listed, I>({ group, ...list }: ListDeclaration<F, R, I>): typeof list {
  const [own, ...others] = list.tables;
  const bare = ({ name, alias, id }: typeof own) => ({ name, alias, id });
  return {
    ...list,
    tables: [bare(own), ...others.map(bare)],
    ...(group && { group: { ...group, isNeedless: () => false } }),
  };
}

function matchingOf<F, R extends Listed>(wanted: Wanted<F, R>, candidates: Sql): Sql {
  const { order, limit } = wanted;
  const conditions = conditionsOf(wanted).flatMap(({ on }) => on);
  return rowsOf(
    wanted,
    sql`
      select looked.id, looked.key from (${candidates}) looked
      join ${tablesOf(wanted, 'looked', 'join')}
      where ${conditions.length > 0 ? join(conditions, ' and ') : sql`true`}
      ${ordered(order, sql`looked.key`, sql`looked.id`)} limit ${limit}`,
  );
}
