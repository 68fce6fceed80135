import type { provisionDevice } from '#contract/appApi/device.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { createOne } from '#server/devices/devices/createDevice.ts';
import { putIntoHome, renameInHome } from '#server/devices/devices/homeOfDevices.ts';
import { checkRoomInHome } from '#server/people/homeDevices/roomInHome.ts';
import { lockMyHome } from '#server/people/homes/findHome.ts';
import { myDevice } from './myDevice.ts';

/** Creates a device in a home. The name belongs to the home, and is deleted when the device leaves. */
export async function provision(
  call: Call<typeof provisionDevice>,
): Promise<AnswerOf<typeof provisionDevice>> {
  const { db, platform, inApp, user, body, params, now } = call;
  const { projectId } = inApp;
  if (!inApp.onDemandProvisioning) throw new Problem('PROVISIONING_OFF');
  await lockMyHome(call, 'configure');
  if (!call.membership?.isActive) throw new Problem('HOME_INACTIVE');
  const coming = { projectId, homeId: params.homeId, userId: user.id, how: 'onDemand' as const, now };
  await checkRoomInHome(db, coming);
  const given = { projectId, deviceClass: body.deviceClass, tag: '' };
  const { id, apiKey = '' } = await createOne({ db, platform, now, body: given });
  await putIntoHome(db, coming, id);
  if (body.name) await renameInHome(db, projectId, id, body.name);
  return { id, device: await myDevice(call, id), apiKey };
}
