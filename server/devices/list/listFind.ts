import { type Database, sql } from '#server/db/sql.ts';
import { type DeviceFilter, deviceConditions, presenceConditions } from './filters.ts';
import { type PageRow, pageQuery, type Wanted } from './listPage.ts';
import { sorted } from './listSorted.ts';
import { countAll, countedMax, type Total, totalOf, upTo } from './listTotal.ts';
import { type Place, walk } from './listWalk.ts';

/** How long each way to find a page may take before the next is tried; the last goes as far as it comes. */
export const limitsMs = { few: 300, page: 150, sorted: 400, walk: 250, total: 500 };
/** Shorter texts are in no index. */
const indexedLengthMin = 3;

export interface Found {
  rows: PageRow[];
  /** Where to go on when the page is short for want of time. */
  goesOnAfter?: Place;
  /** Undefined: not counted, there was no time. */
  total?: Total | undefined;
}

/**
 * Without conditions an index has the very order. A text is mostly rare: then all that have it are found and sorted.
 * Else the database chooses how to look, hoping to meet enough of them on the way.
 */
export async function find(db: Database, wanted: Wanted, limits: typeof limitsMs): Promise<Found> {
  const { filter } = wanted;
  if (!hasConditions(filter)) return findAny(db, wanted, limits);
  if ((filter.search ?? '').length < indexedLengthMin) {
    const [found, total] = await Promise.all([
      findMany(db, wanted, limits),
      totalOf(db, filter, limits.total),
    ]);
    return { ...found, total: total ?? found.total };
  }
  const few = await sorted(db, wanted, { withinMs: limits.few, max: countedMax });
  if (few && few.total <= countedMax) return { rows: few.rows, total: few };
  const found = await findMany(db, wanted, limits);
  return { ...found, total: found.total ?? (few && upTo(few.total)) };
}

/** The total comes with the rows: only a page past the end has none to say it. */
async function findAny(db: Database, wanted: Wanted, limits: typeof limitsMs): Promise<Found> {
  const question = await pageQuery(db, wanted, sql`, ${countAll(wanted.filter)} as total`);
  const rows = await db.many<PageRow & { total: number }>(question);
  const total = rows[0] ?? (await totalOf(db, wanted.filter, limits.total));
  return { rows, total: total && { total: total.total } };
}

/** Those that match may all stand far down: who hopes to meet them on the way gives up soon. */
async function findMany(db: Database, wanted: Wanted, limits: typeof limitsMs): Promise<Found> {
  const rows = await db.within<PageRow>(limits.page, await pageQuery(db, wanted));
  if (rows) return { rows };
  const all = await sorted(db, wanted, { withinMs: limits.sorted });
  return all ? { rows: all.rows, total: { total: all.total } } : walk(db, wanted, limits.walk);
}

function hasConditions(filter: DeviceFilter): boolean {
  return deviceConditions(filter).length + presenceConditions(filter).length > 0;
}
