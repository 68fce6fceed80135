import type { Submit } from '#console/core/api.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import type { Chosen } from '#console/ui/list/ListScreen.tsx';
import { type Device, deleteDevice, editDevice, type listDevices } from '#contract/device.ts';
import { actOnDevices, type DeviceAction, idsMax } from '#contract/deviceBulk.ts';
import type { BodyOf } from '#contract/endpoint.ts';

export type Act = DeviceAction['action'];

/** The devices that an action is about. */
export type DeviceSelection = {
  projectId: string;
  /** "Hall thermostat", "3 devices" */
  said: string;
  /** The class whose channels the devices can be moved to; absent if they may be of several classes. */
  deviceClass?: string | undefined;
} & ({ id: string } | { ids: readonly string[] } | { matching: Matching });

type Matching = NonNullable<BodyOf<typeof actOnDevices>['matching']>;

export function oneDevice(
  projectId: string,
  device: Pick<Device, 'id' | 'name' | 'tag' | 'deviceClass'>,
): DeviceSelection {
  return { projectId, said: deviceName(device), deviceClass: device.deviceClass, id: device.id };
}

/** The chosen rows, or everything that the list finds. */
export function chosenDevices(projectId: string, chosen: Chosen<typeof listDevices>): DeviceSelection {
  const { projectId: _, limit, skip, sortBy, cursor, homeId, ...rest } = chosen.input.query ?? {};
  const said = devicesSaid(chosen.count);
  const { deviceClass } = rest;
  if (chosen.all) return { projectId, said, deviceClass, matching: rest };
  return { projectId, said, deviceClass, ids: [...chosen.ids] };
}

export function devicesSaid(count: string): string {
  return count === '1' ? '1 device' : `${count} devices`;
}

/** Returns the job, if the action needs one. A single device is changed by its own call, so that its log says so. */
export async function perform(
  submit: Submit,
  act: Act,
  selection: DeviceSelection,
  channel?: string,
): Promise<DeviceAction | undefined> {
  if ('id' in selection) {
    const params = { deviceId: selection.id };
    if (act === 'delete') await submit(deleteDevice, { params });
    else if (act === 'move') await submit(editDevice, { params, body: { channel: channel ?? '' } });
    else await submit(editDevice, { params, body: { suspended: act === 'suspend' } });
    return undefined;
  }
  const params = { projectId: selection.projectId };
  const body = { action: act, ...(channel !== undefined && { channel }) };
  if ('matching' in selection)
    return submit(actOnDevices, { params, body: { ...body, matching: selection.matching } });
  let last: DeviceAction | undefined;
  for (let from = 0; from < selection.ids.length; from += idsMax)
    last = await submit(actOnDevices, {
      params,
      body: { ...body, ids: selection.ids.slice(from, from + idsMax) },
    });
  return last;
}
