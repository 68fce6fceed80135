import type { DeviceClass, DeviceClassRow, editDeviceClass } from '#contract/deviceClass.ts';
import type { BodyOf, Role } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { contains } from '#server/db/contains.ts';
import { type Db, empty, join, raw, type Sql, sql } from '#server/db/sql.ts';
import type { Resource } from '#server/endpoints/access.ts';
import type { PageAsked } from '#server/endpoints/route.ts';

/** What a class keeps of messages that broke a schema, and what is counted of it at most. */
export const quarantineMax = 10_000;

interface RowOf {
  id: string;
  projectId: string;
  description: string;
  deviceCount: number;
  connectedCount: number;
  quarantineCount: number;
  createdAt: Date;
  revision: number;
}

interface Schemas {
  stateSchema: DeviceClass['stateSchema'] | null;
  eventSchemas: DeviceClass['eventSchemas'] | null;
  commandSchemas: DeviceClass['commandSchemas'] | null;
}

const columns = sql`
  c.id, c.project_id as "projectId", c.description, c.created_at as "createdAt", c.revision,
  coalesce(n.devices, 0)::int as "deviceCount", coalesce(n.connected, 0)::int as "connectedCount",
  (select count(*)::int from (
    select 1 from quarantine q where q.project_id = c.project_id and q.device_class = c.id
    limit ${quarantineMax}) as kept) as "quarantineCount"`;

const counts = sql`
  left join lateral (
    select sum(claimed + unclaimed) as devices, sum(connected) as connected from device_counts
    where project_id = c.project_id and device_class = c.id) n on true`;

const schemas = sql`
  c.state_schema as "stateSchema", c.event_schemas as "eventSchemas", c.command_schemas as "commandSchemas"`;

/** Found in the project that the call names; without one, among those of the caller. */
export const deviceClassResource: Resource = {
  notFound: 'DEVICE_CLASS_NOT_FOUND',
  async find(db, { projectId, classId = '' }, developerId, lock) {
    const rows = await db.many<RowOf & Schemas & { orgId: string; role: Role | null }>(sql`
      select ${columns}, ${schemas}, p.org_id as "orgId", m.role
      from device_classes c join projects p on p.id = c.project_id and p.deleted_at is null
      ${counts} left join project_members m on m.project_id = p.id and m.developer_id = ${developerId}
      where c.id = ${classId} and ${projectId === undefined ? sql`m.role is not null` : sql`c.project_id = ${projectId}`}
      limit 2 ${lock ? sql`for no key update of c` : empty}`);
    if (rows.length > 1) throw new Problem('AMBIGUOUS_ID');
    const [row] = rows;
    if (!row) return undefined;
    const { orgId, role, ...rest } = row;
    return { projectId: row.projectId, orgId, role, row: { ...toClass(rest) } };
  },
};

const orders: Record<string, string> = { id: 'c.id', createdAt: 'c.created_at' };

export async function classesOf(
  db: Db,
  projectId: string,
  page: PageAsked,
): Promise<{ items: DeviceClassRow[]; total: number }> {
  const matching = sql`c.project_id = ${projectId} ${page.search ? found(page.search) : empty}`;
  const rows = await db.many<RowOf & { total: number }>(sql`
    select ${columns}, count(*) over ()::int as total
    from device_classes c ${counts} where ${matching}
    order by ${raw(`${orders[page.sortBy]} ${page.descending ? 'desc' : 'asc'}`)}, c.id
    limit ${page.limit} offset ${page.skip}`);
  const items = rows.map(({ total: _, ...row }) => toClassRow(row));
  // Only a page past the end has no row to say how many there are.
  if (rows[0] || page.skip === 0) return { items, total: rows[0]?.total ?? 0 };
  const counted = await db.one<{ total: number }>(sql`
    select count(*)::int as total from device_classes c where ${matching}`);
  return { items, total: counted?.total ?? 0 };
}

function found(search: string): Sql {
  return sql`and ${contains(sql`c.search`, search)}`;
}

export async function findClass(db: Db, projectId: string, id: string): Promise<DeviceClass | undefined> {
  const row = await db.one<RowOf & Schemas>(sql`
    select ${columns}, ${schemas} from device_classes c ${counts} where c.project_id = ${projectId} and c.id = ${id}`);
  return row && toClass(row);
}

/** Holds the project while a class is added, and answers how many it has; undefined when it was just deleted. */
export async function lockClassCount(db: Db, projectId: string): Promise<number | undefined> {
  const project = await db.one(
    sql`select 1 as found from projects where id = ${projectId} and deleted_at is null for no key update`,
  );
  if (!project) return undefined;
  const counted = await db.one<{ count: number }>(
    sql`select count(*)::int as count from device_classes where project_id = ${projectId}`,
  );
  return counted?.count ?? 0;
}

type Edit = BodyOf<typeof editDeviceClass>;

export async function insertClass(
  db: Db,
  given: { projectId: string; id: string; now: Date } & Edit,
): Promise<void> {
  await db.run(sql`
    insert into device_classes
      (project_id, id, description, state_schema, event_schemas, command_schemas, created_at)
    values (${given.projectId}, ${given.id}, ${given.description ?? ''}, ${json(given.stateSchema)},
      ${json(given.eventSchemas)}, ${json(given.commandSchemas)}, ${given.now})`);
}

export async function updateClass(db: Db, projectId: string, id: string, edit: Edit): Promise<void> {
  const given: [column: string, value: unknown][] = [
    ['description', edit.description],
    ['state_schema', edit.stateSchema === undefined ? undefined : json(edit.stateSchema)],
    ['event_schemas', edit.eventSchemas === undefined ? undefined : json(edit.eventSchemas)],
    ['command_schemas', edit.commandSchemas === undefined ? undefined : json(edit.commandSchemas)],
  ];
  const sets = given
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${raw(column)} = ${value}`);
  await db.run(sql`
    update device_classes set ${join([...sets, sql`revision = revision + 1`])}
    where project_id = ${projectId} and id = ${id}`);
}

/** What is not there takes a schema away. The driver would make a JSON object of ours a row of PostgreSQL's. */
function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** So many of what is in the way are named. */
const namedMax = 5;

/** The first devices of a class, as a person would look for them. */
export function firstDevices(
  db: Db,
  projectId: string,
  id: string,
): Promise<{ id: string; tag: string; name: string }[]> {
  return db.many(sql`
    select id, tag, name from devices where project_id = ${projectId} and device_class = ${id}
    order by id limit ${namedMax}`);
}

/** Refused by the foreign key of the devices while there are any. */
export async function deleteClass(db: Db, projectId: string, id: string): Promise<void> {
  await db.run(sql`delete from device_classes where project_id = ${projectId} and id = ${id}`);
}

function toClassRow({ createdAt, ...row }: RowOf): DeviceClassRow {
  return { ...row, createdAt: createdAt.toISOString() };
}

function toClass({ stateSchema, eventSchemas, commandSchemas, ...row }: RowOf & Schemas): DeviceClass {
  return {
    ...toClassRow(row),
    ...(stateSchema !== null && { stateSchema }),
    ...(eventSchemas !== null && { eventSchemas }),
    ...(commandSchemas !== null && { commandSchemas }),
  };
}
