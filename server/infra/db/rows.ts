import { type Db, join, raw, Sql, sql } from './sql.ts';

interface Page {
  columns: Sql;
  from: Sql;
  where: Sql;
  /** The `order by` expression for each field that `sortBy` takes. */
  orders: Readonly<Record<string, string>>;
  /** Makes the order total. */
  key: Sql;
  page: { limit: number; skip: number; sortBy: string; descending: boolean };
}

interface Converted<Row, Made> extends Page {
  as: (row: Row) => Made;
}

/**
 * The `order by` expression for a column with names: without regard to case and accents, and "Room 2" before "Room 10".
 */
export const byName = (column: string): string => `name_order(${column}) collate "C"`;

/** A page of a list that stays small, counted exactly. Lists that may grow large go through `db/list`. */
export function pageOf<Row extends object>(db: Db, given: Page): Promise<{ items: Row[]; total: number }>;
export function pageOf<Row extends object, Made = Row>(
  db: Db,
  given: Converted<Row, Made>,
): Promise<{ items: Made[]; total: number }>;
export async function pageOf<Row extends object>(
  db: Db,
  { columns, from, where, orders, key, page, as }: Page & { as?: (row: Row) => unknown },
): Promise<{ items: unknown[]; total: number }> {
  const order = raw(`${orders[page.sortBy]} ${page.descending ? 'desc' : 'asc'}`);
  const rows = await db.many<Row & { total?: number }>(sql`
    select ${columns}, count(*) over ()::int as total from ${from} where ${where}
    order by ${order}, ${key} limit ${page.limit} offset ${page.skip}`);
  const total = rows[0]?.total ?? 0;
  for (const row of rows) delete row.total;
  const items = as ? rows.map(as) : rows;
  // Only a page past the end has no row that carries the total.
  if (rows[0] || page.skip === 0) return { items, total };
  const counted = await db.one<{ total: number }>(sql`
    select count(*)::int as total from ${from} where ${where}`);
  return { items, total: counted?.total ?? 0 };
}

/**
 * Writes an edit to a row and raises its revision. Undefined fields stay unchanged, objects are stored as JSON, and SQL
 * is used as it is. `key` has the columns and values that identify the row.
 */
export function updateRow<Edit extends object>(
  db: Db,
  table: string,
  key: Readonly<Record<string, string>>,
  edit: Edit,
  columnOf: Readonly<Record<keyof Edit, string>>,
): Promise<number> {
  const given = (Object.keys(columnOf) as (keyof Edit)[]).filter(name => edit[name] !== undefined);
  const sets = given.map(name => sql`${raw(columnOf[name])} = ${parameter(edit[name])}`);
  const named = Object.entries(key).map(([column, value]) => sql`${raw(column)} = ${value}`);
  return db.run(sql`
    update ${raw(table)} set ${join([...sets, sql`revision = revision + 1`])} where ${join(named, ' and ')}`);
}

/** The driver would turn a JavaScript array into a PostgreSQL array. */
function parameter(value: unknown): unknown {
  const isPlain =
    value !== null &&
    typeof value === 'object' &&
    !(value instanceof Uint8Array || value instanceof Date || value instanceof Sql);
  return isPlain ? JSON.stringify(value) : value;
}
