import { Problem } from '#contract/problem.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import type { SortColumn, SortKey } from './declaration.ts';

/** The order of a list, and the row after which it continues. */
export interface ListOrder {
  sortBy: string;
  key: SortKey;
  descending: boolean;
  after?: Place;
}

/** A position in an order: right after the row with this key and id. */
export interface Place {
  /** The value that the row is sorted by, as text in full precision. */
  key: string;
  id: string | number;
}

/** A cursor is only valid in the order it was created for. */
export function orderOf(
  { sortable, idType = 'text' }: { sortable: Record<string, SortKey>; idType?: SortColumn['type'] },
  { sortBy, descending }: { sortBy: string; descending: boolean },
  cursor: string | undefined,
): ListOrder {
  const key = sortable[sortBy];
  if (key === undefined) throw new Error(`The list cannot be sorted by ${sortBy}.`);
  const order: ListOrder = { sortBy, key, descending };
  if (cursor === undefined) return order;
  const after = readCursor(cursor, nameOf(order));
  const keyType = key === 'id' ? 'text' : key.type;
  if (!after || !isOf[keyType](after.key) || !isOf[idType](`${after.id}`))
    throw new Problem('INVALID_FIELDS', { fields: { cursor: 'INVALID' } });
  return { ...order, after };
}

export function cursorOf(order: ListOrder, { key, id }: Place): string {
  return Buffer.from(JSON.stringify({ order: nameOf(order), key, id })).toString('base64url');
}

const nameOf = ({ sortBy, descending }: ListOrder) => `${sortBy}:${descending}`;

function readCursor(text: string, order: string): Place | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!isObject(read) || read.order !== order) return undefined;
    const { key, id } = read;
    return typeof key === 'string' && (typeof id === 'string' || typeof id === 'number')
      ? { key, id }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the database can read the text as this type: a cursor comes from outside, so it may not be one we issued. */
const isOf: Record<SortColumn['type'], (text: string) => boolean> = {
  text: text => !text.includes('\0'),
  timestamptz: text => text === 'infinity' || text === '-infinity' || isTime(text),
  bigint: text => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text),
};

/**
 * A PostgreSQL timestamp: `2026-11-20 09:46:00.123+00`. The day is checked, because Date would roll over an
 * invalid one.
 */
function isTime(text: string): boolean {
  const [, day, hour] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-](0\d|1[0-4])(:[0-5]\d){0,2}$/.exec(text) ?? [];
  const time = new Date(`${day}T${hour}Z`);
  return time.getTime() >= 0 && time.toISOString() === `${day}T${hour}.000Z`;
}
