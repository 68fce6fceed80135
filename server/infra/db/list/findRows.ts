import { type Database, type Sql, sql } from '#server/infra/db/sql.ts';
import type { Place } from './cursor.ts';
import type { Listed } from './declaration.ts';
import { conditionsOf, type PageRow, pageQuery, type Wanted } from './pageQuery.ts';
import { sortedPage } from './sortedPage.ts';
import { countedMax, type Total, totalOf, upTo } from './total.ts';
import { walk } from './walk.ts';

/**
 * The time limit of each strategy for finding a page before the next is tried; the last one stops at its limit.
 */
export const limitsMs = { few: 300, page: 150, probe: 50, sorted: 400, walk: 250, total: 500 };
/** Shorter texts cannot use the trigram index. */
const indexedLengthMin = 3;

interface Found<Row> {
  rows: PageRow<Row>[];
  /** The cursor if the page is short because time ran out. */
  goesOnAfter?: Place;
  /** Undefined: not counted for lack of time. */
  total?: Total | undefined;
}

/**
 * Without filters, an index provides the order. A rare text is found by its index, then sorted. Otherwise the
 * planner decides, usually scanning in order until the page is full.
 */
export async function findRows<F, R extends Listed>(
  db: Database,
  wanted: Wanted<F, R>,
  limits: typeof limitsMs,
): Promise<Found<R>> {
  const { list, filter, search, order } = wanted;
  const isIndexed = order.key === 'id' || order.key.isIndexed;
  const count = conditionsOf(wanted).some(({ on }) => on.length > 0) ? undefined : list.counted?.(filter);
  if (count && isIndexed) return findAny(db, wanted, count, limits);
  if (!list.search || search === undefined || search.length < indexedLengthMin) {
    const [found, total] = await Promise.all([
      findMany(db, wanted, limits),
      totalOf(db, wanted, limits.total),
    ]);
    return { ...found, total: total ?? found.total };
  }
  const few = await sortedPage(db, wanted, { withinMs: limits.few, max: countedMax });
  if (few && few.total <= countedMax) return { rows: few.rows, total: few };
  // A scan in order meets a common text soon, unless its matches stand together far down, as similar names do: then it
  // would take long, so it gets little time.
  const found = await findMany(db, wanted, { ...limits, page: limits.probe });
  return { ...found, total: found.total ?? (few && upTo(few.total)) };
}

/** The total comes with the rows; a page past the end has none. */
async function findAny<F, R extends Listed>(
  db: Database,
  wanted: Wanted<F, R>,
  count: Sql,
  limits: typeof limitsMs,
): Promise<Found<R>> {
  const question = await pageQuery(db, wanted, sql`, ${count} as total`);
  const rows = await db.many<PageRow<R> & { total: number }>(question);
  const total = rows[0] ?? (await totalOf(db, wanted, limits.total));
  return { rows, total: total && { total: total.total } };
}

/**
 * The matches may all stand far down, so the scan in order gives up soon. Without an index for the order there is no
 * such scan.
 */
async function findMany<F, R extends Listed>(
  db: Database,
  wanted: Wanted<F, R>,
  limits: typeof limitsMs,
): Promise<Found<R>> {
  const { key } = wanted.order;
  if (key === 'id' || key.isIndexed) {
    const rows = await db.within<PageRow<R>>(limits.page, await pageQuery(db, wanted));
    if (rows) return { rows };
  }
  const all = await sortedPage(db, wanted, { withinMs: limits.sorted });
  return all ? { rows: all.rows, total: { total: all.total } } : walk(db, wanted, limits.walk);
}
