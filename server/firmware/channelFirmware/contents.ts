import type { ChannelFirmware } from '#contract/channelFirmware.ts';
import { byName } from '#server/infra/db/rows.ts';
import { type Db, raw, sql } from '#server/infra/db/sql.ts';

type Contents = NonNullable<ChannelFirmware['current']>;

/** The component versions in bundles, ordered by component name. */
export async function contentsOf(
  db: Db,
  projectId: string,
  bundleIds: readonly string[],
): Promise<Map<string, Contents>> {
  const rows = await db.many<Contents[number] & { bundleId: string }>(sql`
    select i.bundle_id as "bundleId", c.name as "componentName", v.name as "versionName"
    from bundle_components i
    join components c on c.project_id = i.project_id and c.id = i.component_id
    join component_versions v on v.project_id = i.project_id and v.id = i.version_id
    where i.project_id = ${projectId} and i.bundle_id = any(${[...new Set(bundleIds)]})
    order by ${raw(byName('c.name'))}, c.id`);
  const byBundle = new Map<string, Contents>();
  for (const { bundleId, ...one } of rows) byBundle.set(bundleId, [...(byBundle.get(bundleId) ?? []), one]);
  return byBundle;
}
