import type { Device } from '#contract/device.ts';
import {
  deleteDeviceKvPair,
  listDeviceConfig,
  listDeviceEntities,
  listDeviceEvents,
  readDeviceState,
  writeDesired,
  writeDeviceKvPair,
} from '#contract/deviceState.ts';
import { tellDevice } from '#server/bus/deviceNotices.ts';
import { deletePair, type KvOwner, writePair } from '#server/deviceClasses/kv.ts';
import { eventsOf } from '#server/deviceEvents/readEvents.ts';
import { on, type Route } from '#server/endpoints/route.ts';
import { configOf } from './config.ts';
import { entitiesOf } from './readEntities.ts';
import { desire, stateOf } from './state.ts';

export const stateRoutes: Route[] = [
  on(readDeviceState, ({ db, row }) => stateOf(db, row.projectId, row.id)),
  on(writeDesired, desire),
  on(listDeviceEvents, eventsOf),
  on(listDeviceEntities, ({ db, row }) => entitiesOf(db, row)),
  on(listDeviceConfig, ({ db, row }) => configOf(db, row)),

  on(writeDeviceKvPair, async call => {
    const owner = ownerOf(call);
    const pair = await writePair(call, owner, { ...call.body, key: call.params.pairKey });
    call.whenKept(() => tellDevice(call.platform, owner.id, { kind: 'config' }));
    return pair;
  }),

  on(deleteDeviceKvPair, async call => {
    const owner = ownerOf(call);
    await deletePair(call, owner, call.params.pairKey);
    call.whenKept(() => tellDevice(call.platform, owner.id, { kind: 'config' }));
  }),
];

function ownerOf({ row: { id, projectId } }: { row: Device }): KvOwner {
  return { of: 'device', projectId, id };
}
