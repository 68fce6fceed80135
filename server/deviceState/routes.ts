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
import { type Call, on, type Route } from '#server/endpoints/route.ts';
import { configOf } from './config.ts';
import { entitiesOf } from './readEntities.ts';
import { desire, stateOf } from './state.ts';

export const stateRoutes: Route[] = [
  on(readDeviceState, ({ db, before }) => {
    const { projectId, id } = before as unknown as Device;
    return stateOf(db, projectId, id);
  }),
  on(writeDesired, desire),
  on(listDeviceEvents, eventsOf),
  on(listDeviceEntities, ({ db, before }) => entitiesOf(db, before as unknown as Device)),
  on(listDeviceConfig, ({ db, before }) => configOf(db, before as unknown as Device)),

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

function ownerOf({ before }: Pick<Call, 'before'>): KvOwner {
  const { id, projectId } = before as unknown as Device;
  return { of: 'device', projectId, id };
}
