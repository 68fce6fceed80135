import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import { deltaFileBytesMax } from './deltaOf.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    makeDelta: DeltaKey;
  }
}

/** A delta to a version, from the file with this checksum. */
export interface DeltaKey {
  projectId: string;
  versionId: string;
  from: string;
}

interface Who {
  projectId: string;
  deviceId: string;
}

/** The most deltas to a version; devices with even older files are rare. */
const ofVersionMax = 20;
/** The most installed bundles from which deltas to a new bundle are prepared. */
const bundlesMax = 10;

/**
 * Queues deltas from the files that these devices report to those they should run, if their class sends deltas. Returns
 * the devices that can be offered one, including those whose delta already exists.
 */
export async function requestDeltas(db: Db, devices: readonly Who[], now: Date): Promise<string[]> {
  if (devices.length === 0) return [];
  const open = await db.many<Who>(sql`
    select t.project_id as "projectId", t.device_id as "deviceId"
    from unnest(${devices.map(one => one.projectId)}::text[], ${devices.map(one => one.deviceId)}::text[])
      as asked (project_id, device_id)
    join device_targets t on t.project_id = asked.project_id and t.device_id = asked.device_id
      and t.bundle_id is not null and t.state in ('waiting', 'offered', 'accepted', 'ready')
    join device_classes k on k.project_id = t.project_id and k.id = t.device_class and k.sends_deltas`);
  if (open.length === 0) return [];
  await want(
    db,
    sql`select distinct c.project_id, c.component_id, c.version_id, lower(i ->> 'sha256') as from_sha256
      from unnest(${open.map(one => one.projectId)}::text[], ${open.map(one => one.deviceId)}::text[])
        as asked (project_id, device_id)
      join device_targets t on t.project_id = asked.project_id and t.device_id = asked.device_id
      join device_states s on s.project_id = t.project_id and s.device_id = t.device_id
      join bundle_components c on c.project_id = t.project_id and c.bundle_id = t.bundle_id
      join components n on n.project_id = c.project_id and n.id = c.component_id
      cross join lateral jsonb_path_query(s.installed, '$.components[*]') as i
      where i ->> 'component' = n.name`,
    now,
  );
  return open.map(({ deviceId }) => deviceId);
}

/** How long the target of a connected device is held back to wait for a delta. */
const madeWithinMs = 30_000;

/** Whether a delta to any version in the bundle of this target is being created. */
export const isDeltaMade = (target: Sql, now: Date): Sql => sql`exists (
  select from bundle_components c
  join firmware_deltas d on d.project_id = c.project_id and d.version_id = c.version_id and d.state = 'wanted'
    and d.created_at > ${new Date(now.getTime() - madeWithinMs)}
  where c.project_id = ${target}.project_id and c.bundle_id = ${target}.bundle_id)`;

/** The devices whose delta is being created; they get their target once it is ready. */
export async function whoseDeltaIsMade(db: Db, devices: readonly Who[], now: Date): Promise<string[]> {
  const rows = await db.many<{ deviceId: string }>(sql`
    select distinct t.device_id as "deviceId"
    from unnest(${devices.map(one => one.projectId)}::text[], ${devices.map(one => one.deviceId)}::text[])
      as asked (project_id, device_id)
    join device_targets t on t.project_id = asked.project_id and t.device_id = asked.device_id and t.state = 'waiting'
    join device_states s on s.project_id = t.project_id and s.device_id = t.device_id
    join bundle_components c on c.project_id = t.project_id and c.bundle_id = t.bundle_id
    join components n on n.project_id = c.project_id and n.id = c.component_id
    cross join lateral jsonb_path_query(s.installed, '$.components[*]') as i
    join firmware_deltas d on d.project_id = c.project_id and d.version_id = c.version_id
      and d.from_sha256 = lower(i ->> 'sha256') and d.state = 'wanted'
      and d.created_at > ${new Date(now.getTime() - madeWithinMs)}
    where i ->> 'component' = n.name`);
  return rows.map(({ deviceId }) => deviceId);
}

/** Queues deltas from what devices of the class run, before any of them gets the bundle, so that all have deltas. */
export async function prepareDeltas(
  db: Db,
  { projectId, bundleId }: { projectId: string; bundleId: string },
  now: Date,
): Promise<void> {
  await want(
    db,
    sql`select distinct c.project_id, c.component_id, c.version_id, v.sha256 as from_sha256
      from bundles b
      join device_classes k on k.project_id = b.project_id and k.id = b.device_class and k.sends_deltas
      join bundle_components c on c.project_id = b.project_id and c.bundle_id = b.id
      join lateral (
        select o.id from bundles o where o.project_id = b.project_id and o.device_class = b.device_class and o.id <> b.id
          and exists (select 1 from devices d where d.project_id = o.project_id
            and d.device_class = o.device_class and d.bundle_installed = o.id)
        order by o.id desc limit ${bundlesMax}) o on true
      join bundle_components old on old.project_id = c.project_id and old.bundle_id = o.id
        and old.component_id = c.component_id
      join component_versions v on v.project_id = old.project_id and v.id = old.version_id
      where b.project_id = ${projectId} and b.id = ${bundleId}`,
    now,
  );
}

/** Queues the deltas that are not yet queued, if the platform has both files and neither is too large. */
async function want(db: Db, pairs: Sql, now: Date): Promise<void> {
  const wanted = await db.many<DeltaKey>(sql`
    insert into firmware_deltas (project_id, version_id, from_sha256, created_at)
    select distinct p.project_id, p.version_id, p.from_sha256, ${now}::timestamptz from (${pairs}) as p
    join component_versions v on v.project_id = p.project_id and v.id = p.version_id
      and v.state = 'ready' and v.size_bytes <= ${deltaFileBytesMax} and v.sha256 <> p.from_sha256
    join component_versions o on o.project_id = p.project_id and o.component_id = p.component_id
      and o.sha256 = p.from_sha256 and o.state = 'ready' and o.size_bytes <= ${deltaFileBytesMax}
    where (select count(*) from firmware_deltas d where d.project_id = p.project_id and d.version_id = p.version_id)
      < ${ofVersionMax}
    order by 1, 2, 3 limit ${ofVersionMax}
    on conflict do nothing
    returning project_id as "projectId", version_id as "versionId", from_sha256 as "from"`);
  // In a queue, one at a time, because each job has the whole old file in memory.
  for (const key of wanted) await enqueue(db, 'makeDelta', key, { queue: 'makeDelta', maxAttempts: 5 });
}
