import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Platform } from '#server/infra/platform.ts';
import { assignTargets } from './assignTargets.ts';
import { recordLeft } from './recordLeft.ts';

/** How many devices one statement locks and decides on, and the maximum number of statements per transaction. */
const batchSize = 2_000;
const batchesMax = 5;

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    retargetChannel: Following & { after: string };
  }
}

export interface Following {
  projectId: string;
  deviceClass: string;
  /** As stored with devices: `stable` is an empty string. */
  channel: string;
}

type Which = { projectId: string; deviceIds: readonly string[] } | Following;

/**
 * Recomputes what devices should run. Must be called in the transaction of every change of an input: a pin, the channel
 * of a device, the bundle of a channel, the state of a rollout or the devices it admits. Returns the devices that
 * should now run something else; notify their gateways after the commit. If a channel has more than 10,000 devices, a
 * job does the rest.
 */
export async function retarget(db: Db, which: Which, now: Date): Promise<string[]> {
  const { projectId } = which;
  if ('channel' in which) return retargetFollowing(db, { ...which, after: '' }, now);
  if (which.deviceIds.length === 0) return [];
  const locked = await db.many<{ id: string }>(sql`
    select id from devices where project_id = ${projectId} and id = any(${which.deviceIds})
    order by id for no key update`);
  const ids = locked.map(({ id }) => id);
  const changed = await assignTargets(db, projectId, ids, now);
  await recordLeft(db, projectId, ids, now);
  return changed;
}

async function retargetFollowing(
  db: Db,
  { after, ...following }: Following & { after: string },
  now: Date,
): Promise<string[]> {
  const changed: string[] = [];
  for (let from = after, batches = 0; ; batches++) {
    if (batches === batchesMax) {
      await enqueue(db, 'retargetChannel', { ...following, after: from });
      return changed;
    }
    const ids = await lockFollowing(db, { ...following, after: from });
    changed.push(...(await assignTargets(db, following.projectId, ids, now)));
    from = ids.at(-1) ?? from;
    if (ids.length < batchSize) return changed;
  }
}

/** The job that continues with the devices of a large channel, ten thousand per transaction. */
export async function retargetChannelJob(
  platform: Pick<Platform, 'db' | 'bus' | 'clock'>,
  from: Following & { after: string },
): Promise<void> {
  publishTargets(platform, await platform.db.tx(db => retargetFollowing(db, from, platform.clock())));
}

/** Locks in id order, so that concurrent runs do not deadlock. */
async function lockFollowing(
  db: Db,
  { projectId, deviceClass, channel, after }: Following & { after: string },
): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select id from devices
    where project_id = ${projectId} and device_class = ${deviceClass} and channel = ${channel} and id > ${after}
    order by id limit ${batchSize} for no key update`);
  return rows.map(({ id }) => id);
}

/** Makes the gateways of these devices deliver their target. Only after the commit. */
export function publishTargets(platform: Pick<Platform, 'bus'>, deviceIds: readonly string[]): void {
  for (const id of deviceIds) notifyDevice(platform, id, { kind: 'target' });
}
