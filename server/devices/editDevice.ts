import type { Device, editDevice } from '#contract/device.ts';
import { Problem } from '#contract/problem.ts';
import { tellDevice } from '#server/bus/deviceNotices.ts';
import { mustHaveChannel } from '#server/channels/mustHaveChannel.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { mustHaveBundle } from '#server/deviceFirmware/mustHaveBundle.ts';
import { retarget } from '#server/deviceFirmware/retarget.ts';
import { makeClaimCode } from '#server/deviceKeys/keys.ts';
import { noteInSystemLog } from '#server/deviceLog/systemLog.ts';
import type { Call } from '#server/endpoints/route.ts';
import { channelKept } from './device.ts';
import { findDevice, updateDevice } from './store.ts';

const triesMax = 5;

/** Updates a device. Suspending and resuming are recorded in its system log, and its gateway is notified. */
export async function editOne(call: Call<typeof editDevice>): Promise<Device> {
  const { db, body, platform, now } = call;
  const { id, projectId, deviceClass, claimed, suspended } = call.row;
  const { claimCode, channel, ...rest } = body;
  if (claimCode !== undefined && claimed) throw new Problem('DEVICE_CLAIMED');
  const kept = channel === undefined ? undefined : channelKept(channel);
  if (kept !== undefined) await mustHaveChannel(db, { projectId, deviceClass, channel: kept });
  if (body.bundlePinned)
    await mustHaveBundle(db, { projectId, deviceClass, bundleId: body.bundlePinned }, 'bundlePinned');
  await updateDevice(db, projectId, id, {
    ...rest,
    ...(kept !== undefined && { channel: kept }),
    ...(claimCode !== undefined && { claimCode: claimCode ?? (await freeClaimCode(db, projectId)) }),
  });
  if (body.suspended !== undefined && body.suspended !== suspended) {
    await noteInSystemLog(call, id, body.suspended ? 'suspended' : 'resumed');
    call.whenKept(() => tellDevice(platform, id, { kind: 'access' }));
  }
  if (channel !== undefined || body.bundlePinned !== undefined) {
    await retarget(db, { projectId, deviceIds: [id] }, now);
    call.whenKept(() => tellDevice(platform, id, { kind: 'target' }));
  }
  const device = await findDevice(db, projectId, id, now);
  if (!device) throw new Problem('DEVICE_NOT_FOUND');
  return device;
}

/** Only a first check: a concurrent change is rejected by the unique index. */
async function freeClaimCode(db: Db, projectId: string): Promise<string> {
  for (let i = 0; i < triesMax; i++) {
    const code = makeClaimCode();
    const taken = await db.one(
      sql`select 1 as found from devices where project_id = ${projectId} and claim_code = ${code}`,
    );
    if (!taken) return code;
  }
  throw new Error('No unused claim code was found.');
}
