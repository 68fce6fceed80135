import { type Component, type editComponent, versionsNamedMax } from '#contract/component.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import type { Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf, updateRow } from '#server/infra/db/rows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';

type ComponentRow = Omit<Component, 'createdAt'> & { createdAt: Date };

/** Ids sort by time. */
const columns = sql`
  c.id, c.project_id as "projectId", c.name, c.description, c.signing_keys as "signingKeys",
  c.created_at as "createdAt", c.revision,
  (select count(*)::int from component_versions v
    where v.project_id = c.project_id and v.component_id = c.id) as "versionCount",
  (select coalesce(json_agg(json_build_object('id', v.id, 'name', v.name, 'state', v.state)), '[]') from (
    select v.id, v.name, v.state from component_versions v
    where v.project_id = c.project_id and v.component_id = c.id
    order by v.id desc limit ${versionsNamedMax}) as v) as versions`;

declare module '#server/api/access/access.ts' {
  interface Rows {
    component: Component;
  }
}

export const componentResource: Resource<Component> = {
  notFound: 'COMPONENT_NOT_FOUND',
  async find(db, { componentId }, caller) {
    // Calls that list or create versions name the component in their input instead of the path.
    if (componentId === undefined)
      throw new Problem('INVALID_FIELDS', { fields: { componentId: 'REQUIRED' } });
    return findInProject(db, caller, {
      columns,
      from: sql`components c`,
      alias: 'c',
      where: sql`c.id = ${componentId}`,
      as: toComponent,
    });
  },
};

const orders = { name: byName('c.name'), createdAt: 'c.created_at' };

export async function componentsOf(
  db: Db,
  projectId: string,
  page: PageAsked,
): Promise<{ items: Component[]; total: number }> {
  return pageOf(db, {
    columns,
    from: sql`components c`,
    where: sql`c.project_id = ${projectId} ${page.search ? sql`and ${contains(sql`c.search`, page.search)}` : empty}`,
    orders,
    key: sql`c.id`,
    page,
    as: toComponent,
  });
}

export async function findComponent(db: Db, projectId: string, id: string): Promise<Component | undefined> {
  const row = await db.one<ComponentRow>(
    sql`select ${columns} from components c where c.project_id = ${projectId} and c.id = ${id}`,
  );
  return row && toComponent(row);
}

export async function insertComponent(
  db: Db,
  given: Pick<Component, 'id' | 'projectId' | 'name'> & { description: string | undefined; now: Date },
): Promise<void> {
  await db.run(sql`
    insert into components (project_id, id, name, description, created_at)
    values (${given.projectId}, ${given.id}, ${given.name}, ${given.description ?? ''}, ${given.now})`);
}

const columnOf = { name: 'name', description: 'description', signingKeys: 'signing_keys' } as const;

type Edit = BodyOf<typeof editComponent>;

export function updateComponent(
  db: Db,
  { projectId, id }: Pick<Component, 'projectId' | 'id'>,
  { signingKeys, ...edit }: Edit,
): Promise<number> {
  // The driver would convert our list to a PostgreSQL array.
  const keys = signingKeys && JSON.stringify(signingKeys);
  const key = { project_id: projectId, id };
  return updateRow(db, 'components', key, { ...edit, signingKeys: keys }, columnOf);
}

/** The foreign key of the bundles prevents the deletion while one contains a version. */
export async function deleteComponentRow(
  db: Db,
  { projectId, id }: Pick<Component, 'projectId' | 'id'>,
): Promise<void> {
  await db.run(sql`delete from components where project_id = ${projectId} and id = ${id}`);
}

function toComponent({ createdAt, ...row }: ComponentRow): Component {
  return { ...row, createdAt: createdAt.toISOString() };
}
