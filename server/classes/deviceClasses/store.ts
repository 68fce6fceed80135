import type {
  createDeviceClass,
  DeviceClass,
  DeviceClassRow,
  editDeviceClass,
} from '#contract/deviceClass.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import type { Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf, updateRow } from '#server/infra/db/rows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';
import { columnOf, type DefinitionRow, definitionColumns, withoutUnset } from './definition.ts';
import { type Saving, saveRevisions } from './revisions/saveRevisions.ts';

/** The most messages a quarantine keeps, and the most that are counted. */
export const quarantineMax = 10_000;

interface RowOf {
  id: string;
  projectId: string;
  createdAt: Date;
  revision: number;
}

/** Counts that are included only when the class itself is read. */
interface Counts {
  deviceCount: number;
  connectedCount: number;
  quarantineCount: number;
}

const columns = sql`
  c.id, c.project_id as "projectId", c.created_at as "createdAt", c.revision`;

const counted = sql`
  coalesce(n.devices, 0)::int as "deviceCount", coalesce(n.connected, 0)::int as "connectedCount",
  (select count(*)::int from (
    select 1 from quarantine q where q.project_id = c.project_id and q.device_class = c.id
    limit ${quarantineMax}) as kept) as "quarantineCount"`;

const counts = sql`
  left join lateral (
    select sum(claimed + unclaimed) as devices, sum(connected) as connected from device_counts
    where project_id = c.project_id and device_class = c.id) n on true`;

const definition = definitionColumns('c');

/** The class for calls about it or about something in it: most need no counts, and some calls are frequent. */
export type ClassWithoutCounts = Omit<DeviceClass, keyof Counts>;

declare module '#server/api/access/access.ts' {
  interface Rows {
    deviceClass: ClassWithoutCounts;
  }
}

/** Finds a class in the project named by the call, or without one among the caller's projects. */
export const deviceClassResource: Resource<ClassWithoutCounts> = {
  notFound: 'DEVICE_CLASS_NOT_FOUND',
  async find(db, { projectId, classId = '' }, caller) {
    return findInProject(db, caller, {
      columns: sql`${columns}, ${definition}`,
      from: sql`device_classes c`,
      alias: 'c',
      where:
        projectId === undefined
          ? sql`c.id = ${classId}`
          : sql`c.project_id = ${projectId} and c.id = ${classId}`,
      amongOwn: projectId === undefined,
      as: toClass<RowOf & DefinitionRow>,
    });
  },
};

const orders: Record<string, string> = { id: byName('c.id'), createdAt: 'c.created_at' };

export async function classesOf(
  db: Db,
  projectId: string,
  page: PageAsked,
): Promise<{ items: DeviceClassRow[]; total: number }> {
  return pageOf(db, {
    columns: sql`${columns}, c.description, ${counted}`,
    from: sql`device_classes c ${counts}`,
    where: sql`c.project_id = ${projectId} ${page.search ? sql`and ${contains(sql`c.search`, page.search)}` : empty}`,
    orders,
    key: sql`c.id`,
    page,
    as: toClassRow,
  });
}

export async function classOf(db: Db, projectId: string, id: string): Promise<DeviceClass> {
  const row = await db.one<RowOf & Counts & DefinitionRow>(sql`
    select ${columns}, ${counted}, ${definition} from device_classes c ${counts} where c.project_id = ${projectId} and c.id = ${id}`);
  if (!row) throw new Problem('DEVICE_CLASS_NOT_FOUND');
  return toClass(row);
}

type Made = BodyOf<typeof createDeviceClass>;
type Edit = BodyOf<typeof editDeviceClass>;

export async function insertClass(db: Db, projectId: string, given: Made, saving: Saving): Promise<void> {
  await db.run(sql`
    insert into device_classes
      (project_id, id, description, state_schema, event_schemas, command_schemas, created_at)
    values (${projectId}, ${given.id}, ${given.description ?? ''}, ${json(given.stateSchema)},
      ${json(given.eventSchemas)}, ${json(given.commandSchemas)}, ${saving.now})`);
  await saveRevisions(db, projectId, [given.id], saving);
}

/** Adds classes, leaving out those whose id is taken. */
export async function insertClasses(
  db: Db,
  projectId: string,
  classes: readonly Made[],
  saving: Saving,
): Promise<void> {
  const column = (of: (one: Made) => string | null) => classes.map(of);
  await db.run(sql`
    insert into device_classes
      (project_id, created_at, id, description, state_schema, event_schemas, command_schemas)
    select ${projectId}, ${saving.now}, made.* from unnest(
      ${column(one => one.id)}::text[], ${column(one => one.description ?? '')}::text[],
      ${column(one => json(one.stateSchema))}::json[], ${column(one => json(one.eventSchemas))}::json[],
      ${column(one => json(one.commandSchemas))}::json[]) as made on conflict do nothing`);
  const ids = classes.map(({ id }) => id);
  await saveRevisions(db, projectId, ids, saving);
}

export async function updateClass(
  db: Db,
  { projectId, id }: Pick<DeviceClass, 'projectId' | 'id'>,
  edit: Edit,
  saving: Saving,
): Promise<void> {
  await updateRow(db, 'device_classes', { project_id: projectId, id }, edit, columnOf);
  await saveRevisions(db, projectId, [id], saving);
}

/** The text for a JSON column; null if there is no value. */
function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** Foreign keys prevent deletion while the class has devices, channels or bundles. */
export async function deleteClass(db: Db, projectId: string, id: string): Promise<void> {
  await db.run(sql`delete from device_classes where project_id = ${projectId} and id = ${id}`);
}

function toClassRow({
  createdAt,
  ...row
}: RowOf & Counts & Pick<DeviceClassRow, 'description'>): DeviceClassRow {
  return { ...row, createdAt: createdAt.toISOString() };
}

function toClass<Row extends RowOf & DefinitionRow>({ createdAt, ...row }: Row) {
  return { ...withoutUnset(row), createdAt: createdAt.toISOString() };
}
