import type { Bundle, BundleName, editBundle } from '#contract/bundle.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf, updateRow } from '#server/infra/db/rows.ts';
import { type Db, empty, raw, sql } from '#server/infra/db/sql.ts';

type BundleRow = Omit<Bundle, 'createdAt' | 'createdBy'> & {
  createdById: string | null;
  createdByName: string;
  createdAt: Date;
};

const columns = sql`
  b.id, b.project_id as "projectId", b.name, b.description, b.device_class as "deviceClass",
  (select coalesce(json_agg(json_build_object('componentId', c.id, 'componentName', c.name, 'versionId', v.id,
      'versionName', v.name, 'sizeBytes', v.size_bytes) order by ${raw(byName('c.name'))}, c.id), '[]')
    from bundle_components k
    join components c on c.project_id = k.project_id and c.id = k.component_id
    join component_versions v on v.project_id = k.project_id and v.id = k.version_id
    where k.project_id = b.project_id and k.bundle_id = b.id) as components,
  (select count(*)::int from channels h where h.project_id = b.project_id and h.bundle_id = b.id) as "channelCount",
  (select count(*)::int from devices d where d.project_id = b.project_id and d.device_class = b.device_class
    and d.bundle_installed = b.id) as "deviceCount",
  (select count(*)::int from devices d where d.project_id = b.project_id and d.device_class = b.device_class
    and d.bundle_pinned = b.id) as "pinnedCount",
  b.created_by as "createdById", b.created_by_name as "createdByName", b.created_at as "createdAt", b.revision`;

declare module '#server/api/access/access.ts' {
  interface Rows {
    bundle: Bundle;
  }
}

export const bundleResource: Resource<Bundle> = {
  notFound: 'BUNDLE_NOT_FOUND',
  async find(db, { bundleId = '' }, caller) {
    return findInProject(db, caller, {
      columns,
      from: sql`bundles b`,
      alias: 'b',
      where: sql`b.id = ${bundleId}`,
      as: toBundle,
    });
  },
};

const orders = {
  name: byName('b.name'),
  createdAt: 'b.created_at',
  deviceClass: byName('b.device_class'),
};

export async function bundlesOf(
  db: Db,
  { projectId, deviceClass }: { projectId: string; deviceClass: string | undefined },
  page: PageAsked,
): Promise<{ items: Bundle[]; total: number }> {
  return pageOf(db, {
    columns,
    from: sql`bundles b`,
    where: sql`b.project_id = ${projectId}
      ${deviceClass === undefined ? empty : sql`and b.device_class = ${deviceClass}`}
      ${page.search ? sql`and ${contains(sql`b.search`, page.search)}` : empty}`,
    orders,
    key: sql`b.id desc`,
    page,
    as: toBundle,
  });
}

/** The devices come from counters: their number does not matter. */
export function bundleNames(
  db: Db,
  { projectId, deviceClass }: { projectId: string; deviceClass?: string | undefined },
): Promise<BundleName[]> {
  return db.many<BundleName>(sql`
    select b.id, b.name, b.device_class as "deviceClass", coalesce(n.devices, 0)::int as "deviceCount"
    from bundles b
    left join (
      select bundle_id, sum(devices) as devices from bundle_counts where project_id = ${projectId} group by bundle_id) n
      on n.bundle_id = b.id
    where b.project_id = ${projectId} ${deviceClass === undefined ? empty : sql`and b.device_class = ${deviceClass}`}
    order by b.created_at desc, b.id desc`);
}

export async function findBundle(db: Db, projectId: string, id: string): Promise<Bundle | undefined> {
  const row = await db.one<BundleRow>(
    sql`select ${columns} from bundles b where b.project_id = ${projectId} and b.id = ${id}`,
  );
  return row && toBundle(row);
}

export async function insertBundle(
  db: Db,
  given: Pick<Bundle, 'id' | 'projectId' | 'name' | 'deviceClass'> & {
    description: string | undefined;
    versionIds: readonly string[];
    by: { id: string; name: string };
    now: Date;
  },
): Promise<void> {
  const { projectId, id, name, description = '', deviceClass, versionIds, by, now } = given;
  await db.run(sql`
    insert into bundles (project_id, id, device_class, name, description, created_by, created_by_name, created_at)
    values (${projectId}, ${id}, ${deviceClass}, ${name}, ${description}, ${by.id}, ${by.name}, ${now})`);
  await db.run(sql`
    insert into bundle_components (project_id, bundle_id, component_id, version_id)
    select project_id, ${id}, component_id, id from component_versions
    where project_id = ${projectId} and id = any(${versionIds})`);
}

const columnOf = { name: 'name', description: 'description' } as const;

export function updateBundle(
  db: Db,
  { projectId, id }: Pick<Bundle, 'projectId' | 'id'>,
  edit: BodyOf<typeof editBundle>,
): Promise<number> {
  return updateRow(db, 'bundles', { project_id: projectId, id }, edit, columnOf);
}

/** Foreign keys prevent the deletion while a channel, a rollout or a device refers to the bundle. */
export async function deleteBundleRow(
  db: Db,
  { projectId, id }: Pick<Bundle, 'projectId' | 'id'>,
): Promise<void> {
  await db.run(sql`delete from bundles where project_id = ${projectId} and id = ${id}`);
}

function toBundle({ createdById, createdByName, createdAt, ...row }: BundleRow): Bundle {
  return {
    ...row,
    ...(createdById !== null && { createdBy: { id: createdById, name: createdByName } }),
    createdAt: createdAt.toISOString(),
  };
}
