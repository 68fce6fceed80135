import { minuteMs } from '#rules/time/durations.ts';
import { networkOf } from '#server/infra/pace/networkOf.ts';

/** How many wrong keys are free before each further one doubles the delay, and when the count expires. */
const free = { device: 5, network: 20 };
const waitMs = { first: 250, most: 5_000 };
const forgetMs = 10 * minuteMs;
const keysMax = 50_000;
/** The most rejections delayed at once; further ones are dropped without an answer. */
const heldMax = 1_000;

/**
 * Throttles key guessing. Only rejections are delayed, without a query or hash, so a device with the right key
 * connects at once, no matter who else is guessing.
 */
export class KeyGuessLimit {
  readonly #devices = new Counts();
  /** Networks are tracked apart from devices, so that made-up ids cannot evict them. */
  readonly #networks = new Counts();
  #held = 0;

  /** How many devices and networks are tracked. */
  get size(): number {
    return this.#devices.size + this.#networks.size;
  }

  /**
   * Counts a wrong key. Returns the delay of its rejection, or undefined to drop it. `deviceId` is undefined if
   * malformed: it could be of any length, and there is no device to protect.
   */
  wrong(deviceId: string | undefined, address: string, nowMs: number): number | undefined {
    const device = deviceId === undefined ? 0 : this.#devices.count(deviceId, nowMs) - free.device;
    const network = this.#networks.count(networkOf(address), nowMs) - free.network;
    const over = Math.max(device, network);
    if (over <= 0) return 0;
    if (this.#held >= heldMax) return undefined;
    return Math.min(waitMs.first * 2 ** Math.min(over - 1, 10), waitMs.most);
  }

  /** Runs while a rejection is delayed. */
  async held<T>(work: Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      return await work;
    } finally {
      this.#held -= 1;
    }
  }
}

/** Recent attempts by key. */
class Counts {
  readonly #counts = new Map<string, { count: number; atMs: number }>();

  get size(): number {
    return this.#counts.size;
  }

  count(key: string, nowMs: number): number {
    const before = this.#counts.get(key);
    const count = before && nowMs - before.atMs < forgetMs ? before.count + 1 : 1;
    // Moving the key to the end keeps the map in order of time, so the first entries are the ones to evict.
    this.#counts.delete(key);
    this.#counts.set(key, { count, atMs: nowMs });
    for (const [oldest, { atMs }] of this.#counts) {
      if (this.#counts.size <= keysMax && nowMs - atMs < forgetMs) break;
      this.#counts.delete(oldest);
    }
    return count;
  }
}
