import { Problem } from '#contract/problem.ts';
import { isObject } from '#rules/mergePatch.ts';
import { raw, type Sql, sql } from '#server/db/sql.ts';
import type { PageAsked } from '#server/endpoints/route.ts';

/** What devices are sorted by before their id; an id alone sorts by the time it was made. Texts sort as they are read. */
const keys: Record<string, { column: string; type: string } | undefined> = {
  creationTime: undefined,
  tag: { column: 'd.tag_order', type: 'text' },
  name: { column: 'd.name_order', type: 'text' },
  lastSeen: { column: 's.seen_order', type: 'timestamptz' },
};

/** The order of a list, and the device it goes on after. */
export interface ListOrder {
  sortBy: string;
  descending: boolean;
  after?: Place;
}

interface Place {
  /** As text, in full precision. */
  key: string;
  id: string;
}

/** A cursor leads on in the order it was made in, and in no other. */
export function orderOf({ sortBy, descending }: PageAsked, cursor: string | undefined): ListOrder {
  if (cursor === undefined) return { sortBy, descending };
  const after = readCursor(cursor, `${sortBy}:${descending}`);
  if (!after) throw new Problem('INVALID_FIELDS', { fields: { cursor: 'INVALID' } });
  return { sortBy, descending, after };
}

export function cursorOf({ sortBy, descending }: ListOrder, { key, id }: Place): string {
  return Buffer.from(JSON.stringify({ order: `${sortBy}:${descending}`, key, id })).toString('base64url');
}

function readCursor(text: string, expected: string): Place | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!isObject(read) || read.order !== expected) return undefined;
    const { key, id } = read;
    const isPlace = typeof key === 'string' && typeof id === 'string' && !`${key}${id}`.includes('\0');
    return isPlace && isKeyOf(expected, key) ? { key, id } : undefined;
  } catch {
    return undefined;
  }
}

/** What the database wrote: it is to read it again. */
function isKeyOf(order: string, key: string): boolean {
  return !order.startsWith('lastSeen:') || key === 'infinity' || key === '-infinity' || isTime(key);
}

/** As PostgreSQL writes a time: `2026-11-20 09:46:00.123+00`. Of a day that is none, a date would make the next. */
function isTime(text: string): boolean {
  const [, day, hour] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-](0\d|1[0-4])(:[0-5]\d){0,2}$/.exec(text) ?? [];
  const time = new Date(`${day}T${hour}Z`);
  return time.getTime() >= 0 && time.toISOString() === `${day}T${hour}.000Z`;
}

/** Whether the order is that of ids, in which a whole project is indexed; other orders are class by class. */
export const isById = ({ sortBy }: ListOrder) => keys[sortBy] === undefined;

/** What is sorted by besides the id, as a column of `devices d` or `device_presence s`. */
export const keyColumn = ({ sortBy }: ListOrder): Sql => raw(keys[sortBy]?.column ?? `''::text`);
export const idColumn = ({ sortBy }: ListOrder): Sql => raw(sortBy === 'lastSeen' ? 's.device_id' : 'd.id');

/** `order by`, where the columns have these names. */
export function ordered(order: ListOrder, key: Sql, id: Sql): Sql {
  const direction = raw(order.descending ? 'desc' : 'asc');
  return isById(order)
    ? sql`order by ${id} ${direction}`
    : sql`order by ${key} ${direction}, ${id} ${direction}`;
}

/** The condition that leaves what comes after the cursor, where the columns have these names. */
export function beyond({ after, sortBy, descending }: ListOrder, key: Sql, id: Sql): Sql | undefined {
  if (!after) return undefined;
  const than = raw(descending ? '<' : '>');
  const known = keys[sortBy];
  if (!known) return sql`${id} ${than} ${after.id}`;
  return sql`(${key}, ${id}) ${than} (${after.key}::${raw(known.type)}, ${after.id})`;
}
