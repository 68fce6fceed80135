import type { addHomeDevice, HomeDevice, Released, releaseHomeDevice } from '#contract/homeDevice.ts';
import { Problem } from '#contract/problem.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { putIntoHome } from '#server/devices/devices/homeOfDevices.ts';
import { appendToSystemLog } from '#server/devices/log/systemLog.ts';
import { sql } from '#server/infra/db/sql.ts';
import { findHomeDevice } from './homeDevice.ts';
import { releaseDevices } from './releaseDevices.ts';
import { checkRoomInHome } from './roomInHome.ts';

/** Needs no claim code: anyone who may call this can read the code anyway. */
export async function addOne(call: Call<typeof addHomeDevice>): Promise<HomeDevice> {
  const { db, body, params, projectId = '', now } = call;
  const coming = { projectId, homeId: params.homeId, how: 'added' as const, now };
  const known = await db.one(
    sql`select 1 as found from devices where project_id = ${projectId} and id = ${body.deviceId}`,
  );
  if (!known) throw new Problem('DEVICE_NOT_FOUND');
  await checkRoomInHome(db, coming);
  if (!(await putIntoHome(db, coming, body.deviceId))) throw new Problem('DEVICE_CLAIMED');
  await appendToSystemLog(call, body.deviceId, 'claimed');
  const added = await findHomeDevice(db, coming, body.deviceId);
  if (!added) throw new Problem('DEVICE_NOT_FOUND');
  return added;
}

export async function releaseOne(call: Call<typeof releaseHomeDevice>): Promise<Released> {
  const { db, platform, params, projectId = '', now } = call;
  const device = await findHomeDevice(db, { projectId, homeId: params.homeId, now }, params.deviceId);
  if (!device) throw new Problem('DEVICE_NOT_FOUND');
  call.before = device;
  const releasing = { projectId, deviceIds: [device.id], actor: actorOf(call), now };
  const [released] = await releaseDevices(db, platform, releasing);
  if (!released) throw new Problem('DEVICE_NOT_FOUND');
  return released;
}
