import { type Finding, findingsMax, namedMax } from '#contract/finding.ts';
import { recentSignal } from '#server/devices/devices/list/filters.ts';
import { namedDevices } from '#server/devices/fleet/namedDevices.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { inCommon } from './inCommon.ts';

/** The devices that are looked at, the latest to fall silent first, when most of them are part of a loss. */
const silentMax = 5_000;

interface Row {
  deviceId: string;
  since: Date;
  /** When its silence was found to be too long; a device with a slow rhythm is found long after it last spoke. */
  foundAt: Date;
  everyS: number;
  isConnected: boolean;
}

/**
 * Devices that are silent for longer than their own rhythm allows. Those that disconnected in a loss that is already a
 * finding are not repeated.
 */
export async function quietFinding(
  db: Db,
  projectId: string,
  goneSince: Date | undefined,
): Promise<Finding | undefined> {
  const rows = await db.many<Row>(sql`
    select device_id as "deviceId", quiet_since as since, coalesce(quiet_found_at, quiet_since) as "foundAt", gap_s::float8 as "everyS",
      seen_order = 'infinity' as "isConnected"
    from (
      select * ${recentSignal.quiet} and project_id = ${projectId} order by quiet_since desc limit ${silentMax}) s
    where seen_order = 'infinity' or seen_order < ${goneSince ?? 'infinity'}::timestamptz
    order by quiet_since desc limit ${findingsMax}`);
  const [latest] = rows;
  const first = rows.at(-1);
  if (!latest || !first) return undefined;
  const deviceIds = rows.map(({ deviceId }) => deviceId);
  const [devices, common] = await Promise.all([
    namedDevices(db, projectId, deviceIds.slice(0, namedMax)),
    inCommon(db, projectId, { deviceIds }),
  ]);
  const { everyS, isConnected } = latest;
  return {
    id: 'quiet',
    signal: 'quiet',
    count: rows.length,
    since: first.since.toISOString(),
    at: new Date(Math.max(...rows.map(({ foundAt }) => foundAt.getTime()))).toISOString(),
    devices,
    causes: [],
    common,
    ...(rows.length === 1 && { quiet: { everyS, isConnected } }),
  };
}
