import type {
  ComponentVersion,
  ComponentVersionRow,
  editComponentVersion,
  Signature,
} from '#contract/componentVersion.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf, updateRow } from '#server/infra/db/rows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';

interface Listed {
  id: string;
  projectId: string;
  componentId: string;
  componentName: string;
  name: string;
  state: ComponentVersion['state'];
  error: string | null;
  filename: string | null;
  checksum: string | null;
  sizeBytes: string | null;
  securityVersion: number;
  uploadId: string | null;
  bundleCount: number;
  deviceCount: number;
  createdById: string | null;
  createdByName: string;
  createdAt: Date;
  revision: number;
}

interface Detail {
  deviceConfigSchema: ComponentVersion['deviceConfigSchema'] | null;
  signature: Signature | null;
}

const listed = sql`
  v.id, v.project_id as "projectId", v.component_id as "componentId", c.name as "componentName", v.name, v.state,
  v.error, v.filename, v.sha256 as checksum, v.size_bytes as "sizeBytes", v.security_version as "securityVersion",
  (select u.id from version_uploads u
    where u.project_id = v.project_id and u.version_id = v.id and u.state <> 'over') as "uploadId",
  (select count(*)::int from bundle_components k
    where k.project_id = v.project_id and k.version_id = v.id) as "bundleCount",
  (select count(*)::int from bundle_components k
    join bundles b on b.project_id = k.project_id and b.id = k.bundle_id
    join devices d on d.project_id = b.project_id and d.device_class = b.device_class and d.bundle_installed = b.id
    where k.project_id = v.project_id and k.version_id = v.id) as "deviceCount",
  v.created_by as "createdById", v.created_by_name as "createdByName", v.created_at as "createdAt", v.revision`;

const detail = sql`v.device_config_schema as "deviceConfigSchema", v.signature`;

const source = sql`
  component_versions v join components c on c.project_id = v.project_id and c.id = v.component_id`;

declare module '#server/api/access/access.ts' {
  interface Rows {
    componentVersion: ComponentVersion;
  }
}

export const versionResource: Resource<ComponentVersion> = {
  notFound: 'COMPONENT_VERSION_NOT_FOUND',
  async find(db, { versionId = '' }, caller) {
    return findInProject(db, caller, {
      columns: sql`${listed}, ${detail}`,
      from: source,
      alias: 'v',
      where: sql`v.id = ${versionId}`,
      as: toVersion,
    });
  },
};

const orders = {
  name: byName('v.name'),
  createdAt: 'v.created_at',
  sizeBytes: 'coalesce(v.size_bytes, 0)',
};

export async function versionsOf(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
  page: PageAsked,
): Promise<{ items: ComponentVersionRow[]; total: number }> {
  return pageOf(db, {
    columns: listed,
    from: source,
    where: sql`v.project_id = ${projectId} and v.component_id = ${id}
      ${page.search ? sql`and ${contains(sql`v.search`, page.search)}` : empty}`,
    orders,
    key: sql`v.id desc`,
    page,
    as: toVersionRow,
  });
}

export async function findVersion(
  db: Db,
  projectId: string,
  id: string,
): Promise<ComponentVersion | undefined> {
  const row = await db.one<Listed & Detail>(
    sql`select ${listed}, ${detail} from ${source} where v.project_id = ${projectId} and v.id = ${id}`,
  );
  return row && toVersion(row);
}

/** Counts the versions of a component, which stays locked until one is added. */
export async function countVersions(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
): Promise<number | undefined> {
  const component = await db.one(
    sql`select 1 as found from components where project_id = ${projectId} and id = ${id} for no key update`,
  );
  if (!component) return undefined;
  const counted = await db.one<{ count: number }>(sql`
    select count(*)::int as count from component_versions
    where project_id = ${projectId} and component_id = ${id}`);
  return counted?.count ?? 0;
}

type Edit = BodyOf<typeof editComponentVersion>;

export async function insertVersion(
  db: Db,
  given: {
    projectId: string;
    id: string;
    componentId: string;
    name: string;
    deviceConfigSchema: Edit['deviceConfigSchema'];
    securityVersion: number | undefined;
    by: { id: string; name: string };
    now: Date;
  },
): Promise<void> {
  const { projectId, id, componentId, name, deviceConfigSchema, securityVersion = 0, by, now } = given;
  await db.run(sql`
    insert into component_versions (project_id, id, component_id, name, device_config_schema, security_version,
      created_by, created_by_name, created_at)
    values (${projectId}, ${id}, ${componentId}, ${name},
      ${deviceConfigSchema === undefined ? null : JSON.stringify(deviceConfigSchema)}, ${securityVersion},
      ${by.id}, ${by.name}, ${now})`);
}

const columnOf = {
  name: 'name',
  deviceConfigSchema: 'device_config_schema',
  securityVersion: 'security_version',
  signature: 'signature',
} as const;

export function updateVersion(
  db: Db,
  { projectId, id }: Pick<ComponentVersion, 'projectId' | 'id'>,
  edit: Edit,
): Promise<number> {
  return updateRow(db, 'component_versions', { project_id: projectId, id }, edit, columnOf);
}

/** The foreign key of the bundles prevents the deletion while one contains the version. */
export async function deleteVersionRow(
  db: Db,
  { projectId, id }: Pick<ComponentVersion, 'projectId' | 'id'>,
): Promise<void> {
  await db.run(sql`delete from component_versions where project_id = ${projectId} and id = ${id}`);
}

function toVersionRow(row: Listed): ComponentVersionRow {
  const { error, filename, checksum, sizeBytes, uploadId, createdById, createdByName, createdAt } = row;
  const { id, projectId, componentId, componentName, name, state, securityVersion } = row;
  return {
    id,
    projectId,
    componentId,
    componentName,
    name,
    state,
    securityVersion,
    ...(error !== null && { error }),
    ...(filename !== null && { filename }),
    ...(checksum !== null && { checksum }),
    ...(sizeBytes !== null && { sizeBytes: Number(sizeBytes) }),
    ...(uploadId !== null && { uploadId }),
    bundleCount: row.bundleCount,
    deviceCount: row.deviceCount,
    revision: row.revision,
    ...(createdById !== null && { createdBy: { id: createdById, name: createdByName } }),
    createdAt: createdAt.toISOString(),
  };
}

function toVersion(row: Listed & Detail): ComponentVersion {
  const { deviceConfigSchema, signature } = row;
  return {
    ...toVersionRow(row),
    ...(deviceConfigSchema !== null && { deviceConfigSchema }),
    ...(signature !== null && { signature }),
  };
}
