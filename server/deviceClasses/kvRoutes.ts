import {
  type DeviceClass,
  deleteKvPair,
  listKvPairs,
  readKvPair,
  writeKvPair,
} from '#contract/deviceClass.ts';
import { Problem } from '#contract/problem.ts';
import { tellClass } from '#server/bus/deviceNotices.ts';
import { type Call, on, type Route } from '#server/endpoints/route.ts';
import { deletePair, findPair, type KvOwner, pairsOf, writePair } from './kv.ts';

export const kvRoutes: Route[] = [
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
    tellDevices(call, owner);
    return pair;
  }),

  on(deleteKvPair, async call => {
    const owner = ownerOf(call);
    await deletePair(call, owner, call.params.pairKey);
    tellDevices(call, owner);
  }),
];

function ownerOf({ row: { id, projectId } }: { row: DeviceClass }): KvOwner {
  return { of: 'class', projectId, id };
}

function tellDevices({ platform, whenKept }: Pick<Call, 'platform' | 'whenKept'>, owner: KvOwner): void {
  whenKept(() => tellClass(platform, owner.projectId, owner.id, { kind: 'config' }));
}
