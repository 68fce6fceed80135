import { sql } from '#server/infra/db/sql.ts';
import { aDevice } from './devices.ts';
import type { ProjectWorld } from './projectWorld.ts';

/** Another project, in the shard of the project of a world or in another one, with a device. */
export async function aPlace({ world, owner, projectId: first }: ProjectWorld, isSameShard: boolean) {
  for (;;) {
    const { id: projectId } = await world.aProject(owner);
    const found = await world.platform.db.one<{ isSame: boolean }>(sql`
      select module_shard(${projectId}) = module_shard(${first}) as "isSame"`);
    if (found?.isSame !== isSameShard) continue;
    const device = await aDevice(owner, projectId);
    return { world, projectId, deviceId: device.id };
  }
}
