import type { VersionUse } from '#contract/componentVersion.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

const bundlesNamedMax = 100;

/** A component with all its versions, or a single version. */
type Part = { projectId: string } & ({ componentId: string } | { versionId: string });

const contained = (part: Part) =>
  'componentId' in part
    ? sql`k.project_id = ${part.projectId} and k.component_id = ${part.componentId}`
    : sql`k.project_id = ${part.projectId} and k.version_id = ${part.versionId}`;

/** The bundles that contain a version, newest first. */
export function bundlesWith(db: Db, part: Part): Promise<VersionUse['bundles']> {
  return db.many(sql`
    select b.id, b.name, b.device_class as "deviceClass" from bundle_components k
    join bundles b on b.project_id = k.project_id and b.id = k.bundle_id
    where ${contained(part)} order by b.id desc limit ${bundlesNamedMax}`);
}

/** Counts the devices that run a version, by the bundle they report as installed. */
export function devicesWith(
  db: Db,
  part: { projectId: string; versionId: string },
): Promise<VersionUse['devices']> {
  return db.many(sql`
    select b.id as "bundleId", b.device_class as "deviceClass", count(*)::int as count from bundle_components k
    join bundles b on b.project_id = k.project_id and b.id = k.bundle_id
    join devices d on d.project_id = b.project_id and d.device_class = b.device_class and d.bundle_installed = b.id
    where ${contained(part)} group by b.project_id, b.id order by count(*) desc, b.id`);
}

/**
 * Refuses a deletion, naming the bundles. A bundle that is being created holds a lock on its versions, so this query
 * waits for it and sees it; otherwise the foreign key would refuse the deletion.
 */
export async function refuseInUse(db: Db, part: Part): Promise<void> {
  const bundles = await bundlesWith(db, part);
  if (bundles.length > 0) throw new Problem('DEPENDENCY_RESTRICTION', { context: { bundles } });
}
