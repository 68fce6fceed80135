import { networkOf } from '#server/http/network.ts';

/** Wrong keys that cost nothing, before each further one doubles the wait; and after how long all are forgotten. */
const free = { device: 5, network: 20 };
const waitMs = { first: 250, most: 5_000 };
const forgetMs = 10 * 60_000;
const keysMax = 100_000;
const idLengthMax = 40;
/** Refusals that may be held back at once; those beyond are told nothing. */
const heldMax = 1_000;

interface Count {
  count: number;
  atMs: number;
}

/**
 * Slows down who guesses keys. Only a refusal is held back, and it holds neither a query nor a hash: a device with the
 * right key gets in at once, whoever else guesses for it or beside it.
 */
export class Guesses {
  readonly #counts = new Map<string, Count>();
  #held = 0;

  /** Counts a wrong key; answers how long its refusal is to be held back, undefined when it is to be dropped. */
  wrong(deviceId: string, address: string, nowMs: number): number | undefined {
    // What is no id is as long as a stranger likes.
    const device = this.#count(`device ${deviceId.slice(0, idLengthMax)}`, nowMs) - free.device;
    const network = this.#count(`network ${networkOf(address)}`, nowMs) - free.network;
    const over = Math.max(device, network);
    if (over <= 0) return 0;
    if (this.#held >= heldMax) return undefined;
    return Math.min(waitMs.first * 2 ** Math.min(over - 1, 10), waitMs.most);
  }

  /** Runs while a refusal is held back. */
  async held<T>(work: Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      return await work;
    } finally {
      this.#held -= 1;
    }
  }

  #count(key: string, nowMs: number): number {
    const before = this.#counts.get(key);
    const count = before && nowMs - before.atMs < forgetMs ? before.count + 1 : 1;
    // Moving the key to the end keeps the map ordered by time, so that the first one is the one to forget.
    this.#counts.delete(key);
    this.#counts.set(key, { count, atMs: nowMs });
    if (this.#counts.size > keysMax) this.#counts.delete(this.#counts.keys().next().value ?? '');
    return count;
  }
}
