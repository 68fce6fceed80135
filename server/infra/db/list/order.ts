import { raw, type Sql, sql } from '#server/infra/db/sql.ts';
import type { ListOrder } from './cursor.ts';
import type { SortColumn } from './declaration.ts';

/** The value that null sorts as. */
const least: Record<SortColumn['type'], string> = {
  text: `''`,
  timestamptz: `'-infinity'`,
  bigint: '-9223372036854775808',
};

/** The column to sort by before the id. */
export function keyColumn({ key }: ListOrder): Sql {
  if (key === 'id') return raw(`''::text`);
  return raw(key.isNullable ? `coalesce(${key.column}, ${least[key.type]})` : key.column);
}

/** An `order by` clause for these column names. */
export function ordered(order: ListOrder, key: Sql, id: Sql): Sql {
  const direction = raw(order.descending ? 'desc' : 'asc');
  return order.key === 'id'
    ? sql`order by ${id} ${direction}`
    : sql`order by ${key} ${direction}, ${id} ${direction}`;
}

/** The keyset condition: rows after the cursor, for these column names. */
export function beyond({ after, key: sorted, descending }: ListOrder, key: Sql, id: Sql): Sql | undefined {
  if (!after) return undefined;
  const than = raw(descending ? '<' : '>');
  if (sorted === 'id') return sql`${id} ${than} ${after.id}`;
  return sql`(${key}, ${id}) ${than} (${after.key}::${raw(sorted.type)}, ${after.id})`;
}
