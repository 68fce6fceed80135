import { call } from '#console/core/client.ts';
import { createTemporaryKey, readDevice } from '#contract/device.ts';
import { readDeviceClass } from '#contract/deviceClass.ts';
import type { Project } from '#contract/project.ts';
import { handClass } from './handedClass.ts';

/**
 * The parameters of a device simulator: a key that is valid for an hour, and the claim code if the device can be
 * claimed.
 */
export async function deviceQuery(
  deviceId: string,
  project: Project | undefined,
): Promise<Record<string, string>> {
  const params = { deviceId };
  const [{ claimCode, projectId, deviceClass: classId }, { token, expirationTime }] = await Promise.all([
    call(readDevice, { params }),
    call(createTemporaryKey, { params }),
  ]);
  handClass(deviceId, await call(readDeviceClass, { params: { classId }, query: { projectId } }));
  return {
    deviceId,
    apiKey: token,
    exp: expirationTime,
    ...(claimCode && !project?.onDemandProvisioning && { claimCode }),
    ...(project?.isSample && { onboard: '1' }),
  };
}
