import type { Released, Resale } from '#contract/homeDevice.ts';
import { dayMs } from '#rules/time/durations.ts';
import type { Actor } from '#server/api/logs/append.ts';
import { rotateKeys } from '#server/devices/devices/rotateKeys.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { startExport } from '#server/people/exports/startExport.ts';
import { releaseDevices } from './releaseDevices.ts';

interface Reselling {
  projectId: string;
  homeId: string;
  actor: Actor;
  /** Each device also gets a new key. */
  rotatesKeys: boolean;
  now: Date;
}

/** How long a replaced key still works, so that the device has time to learn the new one. */
const graceMs = dayMs;

/** Exports a home for its owner, and releases all its devices, in the caller's transaction. */
export async function resell(db: Db, platform: Platform, given: Reselling): Promise<Resale> {
  const { projectId, homeId, actor, now } = given;
  // With this lock, no device can be claimed for the home meanwhile.
  await db.run(sql`select 1 from homes where project_id = ${projectId} and id = ${homeId} for no key update`);
  const owner = await db.one<{ id: string }>(sql`
    select user_id as id from home_members
    where project_id = ${projectId} and home_id = ${homeId} and role = 'owner'`);
  if (!owner) throw new Error(`Home ${homeId} has no owner.`);
  const { id: exportId } = await startExport(db, platform, { projectId, userId: owner.id, homeId, now });
  const there = await db.many<{ id: string }>(sql`
    select id from devices where project_id = ${projectId} and home_id = ${homeId}`);
  const deviceIds = there.map(({ id }) => id);
  const devices = await releaseDevices(db, platform, { projectId, deviceIds, actor, now });
  if (!given.rotatesKeys) return { exportId, devices };
  const until = new Date(now.getTime() + graceMs);
  const keys = await rotateKeys(db, platform, { projectId, deviceIds, until });
  return { exportId, devices: devices.map(device => withKey(device, keys)) };
}

function withKey(device: Released, keys: ReadonlyMap<string, string>): Released {
  const apiKey = keys.get(device.deviceId);
  return { ...device, ...(apiKey !== undefined && { apiKey }) };
}
