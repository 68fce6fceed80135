import type { Device, editDevice } from '#contract/device.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { appendToSystemLog } from '#server/devices/log/systemLog.ts';
import { giveTimeToSpeak } from '#server/devices/presence/resumed.ts';
import { mustHaveChannel } from '#server/firmware/channels/mustHaveChannel.ts';
import { mustHaveBundle } from '#server/firmware/targets/mustHaveBundle.ts';
import { retarget } from '#server/firmware/targets/retarget.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { channelKept } from './device.ts';
import { freeClaimCode } from './homeOfDevices.ts';
import { findDevice, updateDevice } from './store.ts';

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
    // A name set by a developer is not the home's name for the device, so it stays when the device leaves the home.
    ...(rest.name !== undefined && { nameBefore: null }),
    ...(claimCode !== undefined && { claimCode: claimCode ?? (await freeClaimCode(db, projectId)) }),
  });
  if (body.suspended !== undefined && body.suspended !== suspended) {
    await appendToSystemLog(call, id, body.suspended ? 'suspended' : 'resumed');
    if (!body.suspended) await giveTimeToSpeak(db, projectId, [id], now);
    call.afterCommit(() => notifyDevice(platform, id, { kind: 'access' }));
  }
  if (channel !== undefined || body.bundlePinned !== undefined) {
    await retarget(db, { projectId, deviceIds: [id] }, now);
    call.afterCommit(() => notifyDevice(platform, id, { kind: 'target' }));
  }
  const device = await findDevice(db, projectId, id, now);
  if (!device) throw new Problem('DEVICE_NOT_FOUND');
  return device;
}
