import type { Database } from '#server/infra/db/sql.ts';
import { cursorOf, orderOf } from './cursor.ts';
import type { ListDeclaration, Listed } from './declaration.ts';
import { findRows, limitsMs } from './findRows.ts';
import type { Total } from './total.ts';

export interface PageAsked<Filter> {
  filter: Filter;
  /** `sortBy` is one of the declared names: the contract validates it. */
  page: { limit: number; skip: number; sortBy: string; descending: boolean; search: string | undefined };
  cursor: string | undefined;
  now: Date;
}

export interface ListAnswer<Item> extends Total {
  items: Item[];
  totalIsLowerBound: boolean;
  /** Undefined: this is the last page. */
  nextCursor: string | undefined;
}

/**
 * A page of a noun's list, in any of its orders, by cursor (keyset) or by skip, with its total: see
 * docs/flows/deviceList.md. If time runs out, the page is short but correct, and its cursor continues after it.
 */
export async function listPage<Filter, Row extends Listed, Item>(
  db: Database,
  list: ListDeclaration<Filter, Row, Item>,
  { filter, page, cursor, now }: PageAsked<Filter>,
  limits = limitsMs,
): Promise<ListAnswer<Item>> {
  const order = orderOf(list, page, cursor);
  const wanted = {
    list,
    filter,
    order,
    search: page.search?.trim() || undefined,
    // With a cursor, `skip` only tells the position of the page.
    skip: cursor === undefined ? page.skip : 0,
    // One row more than requested shows whether there is a next page.
    limit: page.limit + 1,
  };
  const found = await findRows(db, wanted, limits);
  const rows = found.rows.slice(0, page.limit);
  const last = found.rows.length > page.limit ? rows.at(-1) : found.goesOnAfter;
  const seen: Total = { total: page.skip + found.rows.length, totalIsLowerBound: true };
  const { total, totalIsLowerBound = false } = found.total ?? seen;
  return {
    items: rows.map(row => list.toItem(row, now)),
    total,
    totalIsLowerBound,
    nextCursor: last && cursorOf(order, last),
  };
}
