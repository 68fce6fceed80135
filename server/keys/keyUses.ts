import type { Capability } from '#contract/endpoint.ts';
import type { Platform } from '#server/platform.ts';
import { type CountedKey, keepKeyUses, otherAddresses, refusalsMax } from './keepKeyUses.ts';

const flushMs = 1000;
/** Of one key, addresses that are told apart between two flushes. */
const addressesMax = 50;

/** A call that was made with a key. */
export interface KeyCall {
  projectId: string;
  keyId: string;
  /** Set where the previous secret was used. */
  previousHash: Buffer | undefined;
  capability: Capability;
  at: Date;
  address: string;
  method: string;
  path: string;
  /** The reason for which it was refused, if it was. */
  refusedFor: string | undefined;
}

type OnPlatform = Pick<Platform, 'db' | 'log'>;

/**
 * Counts what keys are used for, in memory, and adds it to the tables about once a second: a call must not cost a write.
 * What is counted when the process stops in order is written; a crash loses at most the last second.
 */
class KeyUses {
  readonly #platform: OnPlatform;
  #byKey = new Map<string, CountedKey>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(platform: OnPlatform) {
    this.#platform = platform;
  }

  count(call: KeyCall): void {
    const { projectId, keyId, at, address, refusedFor } = call;
    const counted = this.#byKey.get(keyId) ?? newCount(projectId, keyId);
    this.#byKey.set(keyId, counted);
    const day = at.toISOString().slice(0, 10);
    addUse(counted, `${day} ${refusedFor === undefined ? call.capability : 'refused'}`, { calls: 1, at });
    if (refusedFor === undefined) {
      counted.last = { at, address };
      addAddress(counted, `${day} ${address}`, 1);
      if (call.previousHash) addPrevious(counted, call.previousHash, { uses: 1, at, address });
    } else {
      const { method, path } = call;
      counted.refusals = [...counted.refusals, { at, method, path, reason: refusedFor, address }].slice(
        -refusalsMax,
      );
    }
    this.#timer ??= setTimeout(() => void this.flush(), flushMs);
  }

  /** Writes what is counted so far; what could not be written is counted on. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const counted = this.#byKey;
    if (counted.size === 0) return;
    this.#byKey = new Map();
    try {
      await this.#platform.db.tx(db => keepKeyUses(db, [...counted.values()]));
    } catch (error) {
      this.#platform.log('warn', 'Counts of keys are waiting for the database', { error: String(error) });
      for (const [keyId, earlier] of counted) {
        const later = this.#byKey.get(keyId);
        this.#byKey.set(keyId, later ? added(earlier, later) : earlier);
      }
      this.#timer ??= setTimeout(() => void this.flush(), flushMs);
    }
  }
}

const all = new WeakMap<Platform, KeyUses>();

/** The one counter of a process. */
export function keyUsesOf(platform: Platform): KeyUses {
  const uses = all.get(platform) ?? new KeyUses(platform);
  all.set(platform, uses);
  return uses;
}

function newCount(projectId: string, keyId: string): CountedKey {
  return {
    ...{ projectId, keyId, uses: new Map(), addresses: new Map(), previous: new Map() },
    ...{ refusals: [], last: undefined },
  };
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

/** Both together, the one counted before the other. */
function added(earlier: CountedKey, later: CountedKey): CountedKey {
  for (const [key, use] of later.uses) addUse(earlier, key, use);
  for (const [key, calls] of later.addresses) addAddress(earlier, key, calls);
  for (const { hash, ...use } of later.previous.values()) addPrevious(earlier, hash, use);
  earlier.refusals = [...earlier.refusals, ...later.refusals].slice(-refusalsMax);
  earlier.last = later.last ?? earlier.last;
  return earlier;
}
