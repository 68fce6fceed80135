import { networkOf } from '#server/pace/network.ts';

/** Wrong keys that cost nothing, before each further one doubles the wait; and after how long all are forgotten. */
const free = { device: 5, network: 20 };
const waitMs = { first: 250, most: 5_000 };
const forgetMs = 10 * 60_000;
const keysMax = 50_000;
/** Refusals that may be held back at once; those beyond are told nothing. */
const heldMax = 1_000;

/**
 * Slows down who guesses keys. Only a refusal is held back, and it holds neither a query nor a hash: a device with the
 * right key gets in at once, whoever else guesses for it or beside it.
 */
export class KeyGuessLimit {
  readonly #devices = new Counts();
  /** Apart from the devices, so that ids made up without end do not make it forget who does so. */
  readonly #networks = new Counts();
  #held = 0;

  /** How many devices and networks are remembered. */
  get size(): number {
    return this.#devices.size + this.#networks.size;
  }

  /**
   * Counts a wrong key; answers how long its refusal is to be held back, undefined when it is to be dropped. `deviceId`
   * is undefined for what has not the form of an id: it is as long as a stranger likes, and there is nothing to protect.
   */
  wrong(deviceId: string | undefined, address: string, nowMs: number): number | undefined {
    const device = deviceId === undefined ? 0 : this.#devices.count(deviceId, nowMs) - free.device;
    const network = this.#networks.count(networkOf(address), nowMs) - free.network;
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
}

/** How often each came lately. */
class Counts {
  readonly #counts = new Map<string, { count: number; atMs: number }>();

  get size(): number {
    return this.#counts.size;
  }

  count(key: string, nowMs: number): number {
    const before = this.#counts.get(key);
    const count = before && nowMs - before.atMs < forgetMs ? before.count + 1 : 1;
    // Moving the key to the end keeps the map ordered by time, so that the first ones are those to forget.
    this.#counts.delete(key);
    this.#counts.set(key, { count, atMs: nowMs });
    for (const [oldest, { atMs }] of this.#counts) {
      if (this.#counts.size <= keysMax && nowMs - atMs < forgetMs) break;
      this.#counts.delete(oldest);
    }
    return count;
  }
}
