import { Problem } from '#contract/problem.ts';
import { type Db, empty, raw, type Sql, sql } from '#server/infra/db/sql.ts';
import type { Caller, Found } from './access.ts';

interface Lookup {
  columns: Sql;
  /** The table with its alias and joins: `sql`devices d left join …``. */
  from: Sql;
  alias: string;
  where: Sql;
  /** True: searches the projects of the caller, for an id that is unique only within its project. */
  amongOwn?: boolean;
}

interface Converted<Row, Made> extends Lookup {
  as: (row: Row) => Made;
}

/** What is selected beside the row. */
interface Owner {
  ownerId?: string;
  ownerOrgId?: string;
  callerRole?: Found['role'];
}

/** Finds a row together with its project's organization and the caller's role there, in one statement. */
export function findInProject<Row extends object>(
  db: Db,
  caller: Caller,
  given: Lookup,
): Promise<Found<Row> | undefined>;
export function findInProject<Row extends object, Made extends object>(
  db: Db,
  caller: Caller,
  given: Converted<Row, Made>,
): Promise<Found<Made> | undefined>;
export async function findInProject<Row extends object>(
  db: Db,
  { developerId, projectIds, lock }: Caller,
  { columns, from, alias, where, amongOwn = false, as }: Lookup & { as?: (row: Row) => object },
): Promise<Found | undefined> {
  const rows = await db.many<Row & Owner>(sql`
    select ${columns}, p.id as "ownerId", p.org_id as "ownerOrgId", m.role as "callerRole"
    from ${from} join projects p on p.id = ${raw(alias)}.project_id and p.deleted_at is null
    left join project_members m on m.project_id = p.id and m.developer_id = ${developerId}
      ${projectIds ? sql`and p.id = any(${projectIds})` : empty}
    where ${where} ${amongOwn ? reached(developerId, projectIds) : empty}
    limit 2 ${lock ? sql`for no key update of ${raw(alias)}` : empty}`);
  if (rows.length > 1) throw new Problem('AMBIGUOUS_ID');
  const [row] = rows;
  if (!row) return undefined;
  const { ownerId = '', ownerOrgId = '', callerRole = null } = row;
  delete row.callerRole;
  delete row.ownerOrgId;
  delete row.ownerId;
  return { projectId: ownerId, orgId: ownerOrgId, role: callerRole, row: as ? as(row) : row };
}

/** An API key has no role: it reaches its own project. */
function reached(developerId: string, projectIds: readonly string[] | undefined): Sql {
  return developerId === '' ? sql`and p.id = any(${projectIds ?? []})` : sql`and m.role is not null`;
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
