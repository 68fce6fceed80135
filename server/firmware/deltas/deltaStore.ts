import type { Received } from '#server/api/files/receiveFile.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { DeltaKey } from './requestDeltas.ts';

/** The two files of a delta to be created. */
export interface Wanted {
  oldPlace: string;
  oldBytes: number;
  oldSha256: string;
  place: string;
  bytes: number;
  sha256: string;
}

const named = ({ projectId, versionId, from }: DeltaKey) =>
  sql`d.project_id = ${projectId} and d.version_id = ${versionId} and d.from_sha256 = ${from}`;

/** Undefined if the delta is no longer wanted, already exists, or one of the files is gone. */
export function findWanted(db: Db, key: DeltaKey): Promise<Wanted | undefined> {
  return db.one<Wanted>(sql`
    select o.place as "oldPlace", o.size_bytes::float8 as "oldBytes", o.sha256 as "oldSha256", v.place,
      v.size_bytes::float8 as bytes, v.sha256
    from firmware_deltas d
    join component_versions v on v.project_id = d.project_id and v.id = d.version_id and v.state = 'ready'
    join component_versions o on o.project_id = v.project_id and o.component_id = v.component_id
      and o.sha256 = d.from_sha256 and o.state = 'ready'
    where ${named(key)} and d.state = 'wanted' order by o.id limit 1`);
}

/** Returns false if the version was deleted meanwhile. */
export async function saveReady(db: Db, key: DeltaKey, { place, bytes, sha256 }: Received): Promise<boolean> {
  const saved = await db.run(sql`
    update firmware_deltas d set state = 'ready', place = ${place}, size_bytes = ${bytes}, sha256 = ${sha256}
    where ${named(key)} and d.state = 'wanted'`);
  return saved > 0;
}

export async function saveUseless(db: Db, key: DeltaKey): Promise<void> {
  await db.run(
    sql`update firmware_deltas d set state = 'useless' where ${named(key)} and d.state = 'wanted'`,
  );
}

/** How many devices are notified of a delta at once; the others get it with their next request. */
const toldMax = 2_000;

/** Connected devices that should run the version and have not started to download it. */
export async function whoWaits(db: Db, { projectId, versionId }: DeltaKey): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select t.device_id as id from device_targets t
    join bundle_components c on c.project_id = t.project_id and c.bundle_id = t.bundle_id and c.version_id = ${versionId}
    join device_classes k on k.project_id = t.project_id and k.id = t.device_class and k.sends_deltas
    where t.project_id = ${projectId} and t.state in ('waiting', 'offered', 'ready') and exists (
      select from device_presence p
      where p.project_id = t.project_id and p.device_id = t.device_id and p.seen_at = 'infinity')
    limit ${toldMax}`);
  return rows.map(({ id }) => id);
}

export interface OfferedDelta {
  versionId: string;
  from: string;
  size: number;
  sha256: string;
}

/** The deltas from what these devices report to what these bundles contain, by device. */
export async function deltasFor(
  db: Db,
  targets: readonly { projectId: string; deviceId: string; bundleId: string }[],
): Promise<Map<string, OfferedDelta[]>> {
  if (targets.length === 0) return new Map();
  const rows = await db.many<OfferedDelta & { deviceId: string }>(sql`
    select distinct asked.device_id as "deviceId", d.version_id as "versionId", d.from_sha256 as "from",
      d.size_bytes::float8 as size, d.sha256
    from unnest(${targets.map(one => one.projectId)}::text[], ${targets.map(one => one.deviceId)}::text[],
      ${targets.map(one => one.bundleId)}::text[]) as asked (project_id, device_id, bundle_id)
    join device_states s on s.project_id = asked.project_id and s.device_id = asked.device_id
    join bundle_components c on c.project_id = asked.project_id and c.bundle_id = asked.bundle_id
    join components n on n.project_id = c.project_id and n.id = c.component_id
    cross join lateral jsonb_path_query(s.installed, '$.components[*]') as i
    join firmware_deltas d on d.project_id = c.project_id and d.version_id = c.version_id
      and d.from_sha256 = lower(i ->> 'sha256') and d.state = 'ready'
    where i ->> 'component' = n.name
    order by 1, 2, 3`);
  const byDevice = Map.groupBy(rows, ({ deviceId }) => deviceId);
  return new Map([...byDevice].map(([id, of]) => [id, of.map(({ deviceId: _, ...one }) => one)]));
}
