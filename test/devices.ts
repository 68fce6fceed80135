import { createDevice, type Device } from '#contract/device.ts';
import { createDeviceClass, type DeviceClass } from '#contract/deviceClass.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { type SignedIn, unique } from './world.ts';

/** A class of the project, made at the door. */
export function aClass(
  { client }: SignedIn,
  projectId: string,
  given: Partial<BodyOf<typeof createDeviceClass>> = {},
): Promise<DeviceClass> {
  return client.call(createDeviceClass, { params: { projectId }, body: { id: unique('class'), ...given } });
}

/** A device, of a class of its own unless one is given. Its key is in the answer. */
export async function aDevice(
  owner: SignedIn,
  projectId: string,
  given: Partial<BodyOf<typeof createDevice>> = {},
): Promise<Device & { apiKey: string }> {
  const deviceClass = given.deviceClass ?? (await aClass(owner, projectId)).id;
  const body = { projectId, tag: unique('tag'), ...given, deviceClass };
  const device = await owner.client.call(createDevice, { body });
  return { ...device, apiKey: device.apiKey ?? '' };
}
