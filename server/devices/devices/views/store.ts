import type { createDeviceView, DeviceView, editDeviceView } from '#contract/deviceView.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import type { Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf, updateRow } from '#server/infra/db/rows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';

type Row = Omit<DeviceView, 'createdAt'> & { createdAt: Date };

const columns = sql`v.id, v.project_id as "projectId", v.name, v.query, v.created_at as "createdAt", v.revision`;

declare module '#server/api/access/access.ts' {
  interface Rows {
    deviceView: DeviceView;
  }
}

export const deviceViewResource: Resource<DeviceView> = {
  notFound: 'VIEW_NOT_FOUND',
  async find(db, { viewId = '' }, caller) {
    return findInProject(db, caller, {
      columns,
      from: sql`device_views v`,
      alias: 'v',
      where: sql`v.id = ${viewId}`,
      as: toView,
    });
  },
};

const orders = { name: byName('v.name'), createdAt: 'v.created_at' };

export async function viewsOf(
  db: Db,
  projectId: string,
  page: PageAsked,
): Promise<{ items: DeviceView[]; total: number }> {
  const searched = page.search ? sql`and ${contains(sql`search_text(v.name)`, page.search)}` : empty;
  return pageOf(db, {
    columns,
    from: sql`device_views v`,
    where: sql`v.project_id = ${projectId} ${searched}`,
    orders,
    key: sql`v.id`,
    page,
    as: toView,
  });
}

export async function findView(db: Db, projectId: string, id: string): Promise<DeviceView> {
  const row = await db.one<Row>(sql`
    select ${columns} from device_views v where v.project_id = ${projectId} and v.id = ${id}`);
  if (!row) throw new Problem('VIEW_NOT_FOUND');
  return toView(row);
}

export async function insertView(
  db: Db,
  { projectId, name, query }: BodyOf<typeof createDeviceView>,
  { id, now }: { id: string; now: Date },
): Promise<void> {
  await db.run(sql`
    insert into device_views (project_id, id, name, query, created_at)
    values (${projectId}, ${id}, ${name}, ${JSON.stringify(query)}, ${now})`);
}

export function updateView(
  db: Db,
  { projectId, id }: DeviceView,
  { name, query }: BodyOf<typeof editDeviceView>,
): Promise<number> {
  return updateRow(
    db,
    'device_views',
    { project_id: projectId, id },
    { name, query },
    { name: 'name', query: 'query' },
  );
}

export async function deleteView(db: Db, { projectId, id }: DeviceView): Promise<void> {
  await db.run(sql`delete from device_views where project_id = ${projectId} and id = ${id}`);
}

const toView = ({ createdAt, ...row }: Row): DeviceView => ({ ...row, createdAt: createdAt.toISOString() });
