import type { Device } from '#contract/device.ts';
import { deleteKvPair, listKvPairs, readKvPair, writeKvPair } from '#contract/deviceClass.ts';
import { deleteDeviceKvPair, writeDeviceKvPair } from '#contract/deviceState.ts';
import { Problem } from '#contract/problem.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import type { ClassWithoutCounts } from '#server/classes/deviceClasses/store.ts';
import { notifyClass, notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { deletePair, findPair, type KvOwner, pairsOf, writePair } from './kv.ts';

/** Key-value pairs of device classes, and those of single devices, which take precedence. */
export const keyValues: Slice = {
  tables: {
    device_class_kv: 'A key-value pair of a device class.',
    device_kv: 'A key-value pair of one device; overrides the one of its class.',
  },
  routes: [
    on(listKvPairs, call => pairsOf(call.db, ownerOf(call), call.page)),

    on(readKvPair, async call => {
      const pair = await findPair(call.db, ownerOf(call), call.params.pairKey);
      if (!pair) throw new Problem('KV_PAIR_NOT_FOUND');
      return pair;
    }),

    on(writeKvPair, async call => {
      const { body, params } = call;
      const owner = ownerOf(call);
      const pair = await writePair(call, owner, { ...body, key: params.pairKey });
      notifyDevices(call, owner);
      return pair;
    }),

    on(deleteKvPair, async call => {
      const owner = ownerOf(call);
      await deletePair(call, owner, call.params.pairKey);
      notifyDevices(call, owner);
    }),

    on(writeDeviceKvPair, async call => {
      const owner = deviceOf(call);
      const pair = await writePair(call, owner, { ...call.body, key: call.params.pairKey });
      call.afterCommit(() => notifyDevice(call.platform, owner.id, { kind: 'config' }));
      return pair;
    }),

    on(deleteDeviceKvPair, async call => {
      const owner = deviceOf(call);
      await deletePair(call, owner, call.params.pairKey);
      call.afterCommit(() => notifyDevice(call.platform, owner.id, { kind: 'config' }));
    }),
  ],
};

function deviceOf({ row: { id, projectId } }: { row: Pick<Device, 'id' | 'projectId'> }): KvOwner {
  return { of: 'device', projectId, id };
}

function ownerOf({ row: { id, projectId } }: { row: ClassWithoutCounts }): KvOwner {
  return { of: 'class', projectId, id };
}

function notifyDevices(
  { platform, afterCommit }: Pick<Call, 'platform' | 'afterCommit'>,
  owner: KvOwner,
): void {
  afterCommit(() => notifyClass(platform, owner.projectId, owner.id, { kind: 'config' }));
}
