import type { Released } from '#contract/homeDevice.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { releaseDevices } from '#server/homeDevices/releaseDevices.ts';
import { removeHome } from '#server/homes/changeHomes.ts';
import { lockHome } from '#server/homes/changeMembers.ts';
import { tellHome, tellMembers } from '#server/homes/homeNotices.ts';
import type { Actor } from '#server/logs/append.ts';
import type { Platform } from '#server/platform.ts';

interface Deleting {
  projectId: string;
  homeId: string;
  actor: Actor;
  now: Date;
}

/** What was deleted, to be told once it is committed. */
export interface DeletedHome {
  projectId: string;
  homeId: string;
  userIds: string[];
  released: Released[];
}

/** Releases the devices of a home and deletes it, in the caller's transaction. */
export async function deleteHome(db: Db, platform: Platform, deleting: Deleting): Promise<DeletedHome> {
  const { projectId, homeId, actor, now } = deleting;
  await lockHome(db, { projectId, homeId });
  const devices = await db.many<{ id: string }>(sql`
    select id from devices where project_id = ${projectId} and home_id = ${homeId} order by id`);
  const deviceIds = devices.map(({ id }) => id);
  const released = await releaseDevices(db, platform, { projectId, deviceIds, actor, now });
  const members = await db.many<{ id: string }>(sql`
    select user_id as id from home_members where project_id = ${projectId} and home_id = ${homeId}`);
  await removeHome(db, projectId, homeId);
  return { projectId, homeId, userIds: members.map(({ id }) => id), released };
}

export function tellDeleted(
  platform: Pick<Platform, 'bus'>,
  { projectId, homeId, userIds }: DeletedHome,
): void {
  tellHome(platform, homeId, { kind: 'deleted' });
  tellMembers(platform, { projectId, homeId, userIds });
}
