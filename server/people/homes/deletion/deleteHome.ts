import type { Released } from '#contract/homeDevice.ts';
import type { Actor } from '#server/api/logs/append.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { releaseDevices } from '#server/people/homeDevices/releaseDevices.ts';
import { removeHome } from '#server/people/homes/changeHomes.ts';
import { lockHome } from '#server/people/homes/changeMembers.ts';

interface Deleting {
  projectId: string;
  homeId: string;
  actor: Actor;
  now: Date;
}

/** Releases the devices of a home and deletes the home, in the caller's transaction. Returns the released devices. */
export async function deleteHome(db: Db, platform: Platform, deleting: Deleting): Promise<Released[]> {
  const { projectId, homeId, actor, now } = deleting;
  await lockHome(db, { projectId, homeId });
  const devices = await db.many<{ id: string }>(sql`
    select id from devices where project_id = ${projectId} and home_id = ${homeId} order by id`);
  const deviceIds = devices.map(({ id }) => id);
  const released = await releaseDevices(db, platform, { projectId, deviceIds, actor, now });
  await removeHome(db, projectId, homeId);
  return released;
}
