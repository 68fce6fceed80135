import { dayMs } from '#rules/time/durations.ts';
import type { Following } from '#server/firmware/targets/retarget.ts';
import { byName } from '#server/infra/db/rows.ts';
import { type Db, raw, sql } from '#server/infra/db/sql.ts';
import type { DeviceConfigSchema } from './impactConfig.ts';

/** Devices of a channel that report the same bundle as installed. */
export interface Running {
  /** Null: the devices report no bundle, or an unknown one. */
  bundleId: string | null;
  bundleName: string | null;
  way: 'up' | 'unchanged' | 'down';
  total: number;
  pinned: number;
  suspended: number;
  /** Devices that are neither pinned nor suspended. */
  reached: number;
  /** How many of the devices reached are offline. */
  offline: number;
  awayFor30Days: number;
}

export function followersByBundle(
  db: Db,
  { projectId, deviceClass, channel }: Following,
  { bundleId, now }: { bundleId: string; now: Date },
): Promise<Running[]> {
  const longAgo = new Date(now.getTime() - 30 * dayMs);
  return db.many<Running>(sql`
    with running as (
      select d.bundle_installed as id, count(*)::int as total,
        count(*) filter (where d.bundle_pinned is not null)::int as pinned,
        count(*) filter (where d.suspended)::int as suspended, count(*) filter (where is_reached)::int as reached,
        count(*) filter (where is_reached and s.seen_at is distinct from 'infinity')::int as offline,
        count(*) filter (where is_reached and coalesce(s.seen_at, d.created_at) <= ${longAgo})::int as away
      from devices d left join device_presence s on s.project_id = d.project_id and s.device_id = d.id
      cross join lateral (select d.bundle_pinned is null and not d.suspended as is_reached) as r
      where d.project_id = ${projectId} and d.device_class = ${deviceClass} and d.channel = ${channel}
      group by d.bundle_installed)
    select r.id as "bundleId", b.name as "bundleName", r.total, r.pinned, r.suspended, r.reached, r.offline,
      r.away as "awayFor30Days",
      case when r.id = ${bundleId} then 'unchanged'
        when (b.created_at, b.id) > (g.created_at, g.id) then 'down' else 'up' end as way
    from running r left join bundles b on b.project_id = ${projectId} and b.id = r.id
    join bundles g on g.project_id = ${projectId} and g.id = ${bundleId}
    order by r.id`);
}

/** A version in a bundle. */
export interface Version {
  bundleId: string;
  componentId: string;
  componentName: string;
  versionId: string;
  versionName: string;
  securityVersion: number;
  sizeBytes: number;
  schema: DeviceConfigSchema | null;
}

/** The contents of bundles, ordered by component name. */
export async function contentsOf(
  db: Db,
  projectId: string,
  bundleIds: readonly string[],
): Promise<Map<string, Version[]>> {
  const rows = await db.many<Version>(sql`
    select i.bundle_id as "bundleId", i.component_id as "componentId", c.name as "componentName",
      i.version_id as "versionId", v.name as "versionName", v.security_version as "securityVersion",
      coalesce(v.size_bytes, 0)::float8 as "sizeBytes", v.device_config_schema as schema
    from bundle_components i
    join component_versions v on v.project_id = i.project_id and v.id = i.version_id
    join components c on c.project_id = i.project_id and c.id = i.component_id
    where i.project_id = ${projectId} and i.bundle_id = any(${[...new Set(bundleIds)]})
    order by ${raw(byName('c.name'))}, c.id`);
  return Map.groupBy(rows, ({ bundleId }) => bundleId);
}
