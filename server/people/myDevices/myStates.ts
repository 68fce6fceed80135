import type { listMyStates } from '#contract/appApi/device.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { statesOf } from '#server/devices/state/state.ts';
import { toMyState } from './control.ts';
import { myDevices } from './myDevice.ts';

/**
 * The states of all devices in a home that the caller may see now, so that an app opens even a large home with few
 * calls.
 */
export async function myStates(call: Call<typeof listMyStates>) {
  const { items, total } = await myDevices(call, call.params.homeId);
  const ids = items.map(({ id }) => id);
  const stateOf = await statesOf(call.db, call.inApp.projectId, ids);
  return { total, items: ids.map(deviceId => ({ deviceId, ...toMyState(stateOf(deviceId)) })) };
}
