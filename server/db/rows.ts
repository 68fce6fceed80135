import { Problem } from '#contract/problem.ts';
import type { Caller, Found } from '#server/endpoints/access.ts';
import { type Db, empty, join, raw, Sql, sql } from './sql.ts';

interface Lookup<Row, Made> {
  columns: Sql;
  /** The table with its alias and joins: `sql`devices d left join …``. */
  from: Sql;
  alias: string;
  where: Sql;
  /** True: searches the projects of the caller, for an id that is unique only within its project. */
  amongOwn?: boolean;
  /** Converts the row; the row itself if absent. */
  as?: (row: Row) => Made;
}

/** Finds a row together with its project's organization and the caller's role there, in one statement. */
export async function findInProject<Row extends object, Made extends object = Row>(
  db: Db,
  { developerId, projectIds, lock }: Caller,
  { columns, from, alias, where, amongOwn = false, as = itself }: Lookup<Row, Made>,
): Promise<Found<Made> | undefined> {
  const rows = await db.many<Row & { ownerId: string; ownerOrgId: string; callerRole: Found['role'] }>(sql`
    select ${columns}, p.id as "ownerId", p.org_id as "ownerOrgId", m.role as "callerRole"
    from ${from} join projects p on p.id = ${raw(alias)}.project_id and p.deleted_at is null
    left join project_members m on m.project_id = p.id and m.developer_id = ${developerId}
      ${projectIds ? sql`and p.id = any(${projectIds})` : empty}
    where ${where} ${amongOwn ? reached(developerId, projectIds) : empty}
    limit 2 ${lock ? sql`for no key update of ${raw(alias)}` : empty}`);
  if (rows.length > 1) throw new Problem('AMBIGUOUS_ID');
  const [found] = rows;
  if (!found) return undefined;
  const { ownerId, ownerOrgId, callerRole, ...row } = found;
  return { projectId: ownerId, orgId: ownerOrgId, role: callerRole, row: as(row as unknown as Row) };
}

const itself = <Row, Made>(row: Row) => row as unknown as Made;

/** An API key has no role: it reaches its own project. */
function reached(developerId: string, projectIds: readonly string[] | undefined): Sql {
  return developerId === '' ? sql`and p.id = any(${projectIds ?? []})` : sql`and m.role is not null`;
}

interface Page<Row, Made> {
  columns: Sql;
  from: Sql;
  where: Sql;
  /** The `order by` expression for each field that `sortBy` takes. */
  orders: Readonly<Record<string, string>>;
  /** Makes the order total. */
  key: Sql;
  page: { limit: number; skip: number; sortBy: string; descending: boolean };
  /** Converts a row; the row itself if absent. */
  as?: (row: Row) => Made;
}

/** A page of a list that stays small, counted exactly. Lists that may grow large go through `db/list`. */
export async function pageOf<Row extends object, Made = Row>(
  db: Db,
  { columns, from, where, orders, key, page, as = itself }: Page<Row, Made>,
): Promise<{ items: Made[]; total: number }> {
  const order = raw(`${orders[page.sortBy]} ${page.descending ? 'desc' : 'asc'}`);
  const rows = await db.many<Row & { total: number }>(sql`
    select ${columns}, count(*) over ()::int as total from ${from} where ${where}
    order by ${order}, ${key} limit ${page.limit} offset ${page.skip}`);
  const items = rows.map(({ total: _, ...row }) => as(row as unknown as Row));
  // Only a page past the end has no row that carries the total.
  if (rows[0] || page.skip === 0) return { items, total: rows[0]?.total ?? 0 };
  const counted = await db.one<{ total: number }>(sql`
    select count(*)::int as total from ${from} where ${where}`);
  return { items, total: counted?.total ?? 0 };
}

/**
 * Refuses to add a row beyond a project's maximum. The project stays locked until the row is added, so that of two
 * concurrent calls, each counts the row of the other.
 */
export async function checkRoom(
  db: Db,
  projectId: string,
  { table, max, reason }: { table: string; max: number; reason: Problem['reason'] },
): Promise<void> {
  const project = await db.one(
    sql`select 1 as found from projects where id = ${projectId} and deleted_at is null for no key update`,
  );
  if (!project) throw new Problem('PROJECT_NOT_FOUND');
  const counted = await db.one<{ count: number }>(
    sql`select count(*)::int as count from ${raw(table)} where project_id = ${projectId}`,
  );
  if ((counted?.count ?? 0) >= max) throw new Problem(reason);
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
