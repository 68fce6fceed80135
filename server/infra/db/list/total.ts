import { type Database, sql } from '#server/infra/db/sql.ts';
import type { Listed } from './declaration.ts';
import { sourceOf, type Wanted } from './pageQuery.ts';

/** The number at which counting the rows of a list stops. */
export const countedMax = 10_000;

export interface Total {
  total: number;
  totalIsLowerBound?: boolean;
}

/** The total from a maintained counter, exact at any size; otherwise counted, up to a maximum and a time limit. */
export async function totalOf<F, R extends Listed>(
  db: Database,
  wanted: Wanted<F, R>,
  withinMs: number,
): Promise<Total | undefined> {
  const { list, filter, search } = wanted;
  const counted = search === undefined ? list.counted?.(filter) : undefined;
  if (counted) {
    const row = await db.one<{ total: number }>(sql`select ${counted} as total`);
    return { total: row?.total ?? 0 };
  }
  const order = { sortBy: '', key: 'id', descending: true } as const;
  const rows = await db.within<{ total: number }>(
    withinMs,
    sql`select count(*)::int as total from (${sourceOf({ ...wanted, order })} limit ${countedMax + 1}) found`,
  );
  const total = rows?.[0]?.total;
  return total === undefined ? undefined : upTo(total);
}

/** Converts a count that stopped one past the limit. */
export const upTo = (total: number): Total =>
  total > countedMax ? { total: countedMax, totalIsLowerBound: true } : { total };
