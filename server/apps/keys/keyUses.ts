import type { Capability } from '#contract/endpoint.ts';
import { Gathering } from '#server/infra/pace/gathering.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type CountedKey, otherAddresses, recordKeyUses, refusalsMax } from './recordKeyUses.ts';

/** Number of addresses that are counted separately, per key, between two flushes. */
const addressesMax = 50;

/** A call that was made with a key. */
export interface KeyCall {
  keyId: string;
  /** Set if the call uses the previous secret. */
  previousHash: Buffer | undefined;
  capability: Capability;
  at: Date;
  address: string;
  method: string;
  path: string;
  /** The reason, if the call was refused. */
  refusedFor: string | undefined;
}

const ofPlatform = new WeakMap<Platform, Gathering<CountedKey>>();

/** The counts of this process. */
function countsOf(platform: Platform): Gathering<CountedKey> {
  const { db, log } = platform;
  const counts =
    ofPlatform.get(platform) ??
    new Gathering<CountedKey>({
      name: 'keys',
      log,
      add: added,
      make: keyId => ({
        keyId,
        uses: new Map(),
        addresses: new Map(),
        previous: new Map(),
        refusals: [],
        last: undefined,
      }),
      store: all => db.tx(tx => recordKeyUses(tx, [...all.values()])),
    });
  ofPlatform.set(platform, counts);
  return counts;
}

export const flushKeyCalls = (platform: Platform) => countsOf(platform).flush();

export function countKeyCall(platform: Platform, call: KeyCall): void {
  const { keyId, at, address, refusedFor } = call;
  const counted = countsOf(platform).of(keyId);
  const day = at.toISOString().slice(0, 10);
  addUse(counted, `${day} ${refusedFor === undefined ? call.capability : 'refused'}`, { calls: 1, at });
  if (refusedFor === undefined) {
    counted.last = { at, address };
    addAddress(counted, `${day} ${address}`, 1);
    if (call.previousHash) addPrevious(counted, call.previousHash, { uses: 1, at, address });
  } else {
    const { method, path } = call;
    const refusal = { at, method, path, reason: refusedFor, address };
    counted.refusals = [...counted.refusals, refusal].slice(-refusalsMax);
  }
}

function addUse({ uses }: CountedKey, key: string, { calls, at }: { calls: number; at: Date }): void {
  uses.set(key, { calls: (uses.get(key)?.calls ?? 0) + calls, at });
}

function addAddress({ addresses }: CountedKey, key: string, calls: number): void {
  const isOne = addresses.has(key) || addresses.size < addressesMax;
  const told = isOne ? key : `${key.split(' ')[0]} ${otherAddresses}`;
  addresses.set(told, (addresses.get(told) ?? 0) + calls);
}

function addPrevious(
  { previous }: CountedKey,
  hash: Buffer,
  { uses, at, address }: { uses: number; at: Date; address: string },
): void {
  const key = hash.toString('hex');
  previous.set(key, { hash, uses: (previous.get(key)?.uses ?? 0) + uses, at, address });
}

/** Merges two counts, the earlier one first. */
function added(earlier: CountedKey, later: CountedKey): CountedKey {
  for (const [key, use] of later.uses) addUse(earlier, key, use);
  for (const [key, calls] of later.addresses) addAddress(earlier, key, calls);
  for (const { hash, ...use } of later.previous.values()) addPrevious(earlier, hash, use);
  earlier.refusals = [...earlier.refusals, ...later.refusals].slice(-refusalsMax);
  earlier.last = later.last ?? earlier.last;
  return earlier;
}
