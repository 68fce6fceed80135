import type { ProxyLimits } from './proxyLimits.ts';
import type { Taker } from './slots.ts';

/** Counts places, of which each user and each home can have only a share. */
export class Tally {
  readonly #max: number;
  readonly #userMax: number;
  readonly #homeMax: number;
  readonly #of = new Map<string, number>();
  #count = 0;

  constructor(max: number, { user, home }: ProxyLimits['shares']) {
    this.#max = max;
    this.#userMax = Math.max(1, Math.floor(max * user));
    this.#homeMax = Math.max(1, Math.floor(max * home));
  }

  get count(): number {
    return this.#count;
  }

  hasRoom({ userId, homeId }: Taker): boolean {
    if (this.#count >= this.#max || this.#countOf(`user ${userId}`) >= this.#userMax) return false;
    return homeId === undefined || this.#countOf(`home ${homeId}`) < this.#homeMax;
  }

  add(by: Taker): void {
    this.#change(by, 1);
  }

  remove(by: Taker): void {
    this.#change(by, -1);
  }

  #countOf(key: string): number {
    return this.#of.get(key) ?? 0;
  }

  #change({ userId, homeId }: Taker, by: 1 | -1): void {
    this.#count += by;
    for (const key of homeId === undefined ? [`user ${userId}`] : [`user ${userId}`, `home ${homeId}`]) {
      const count = this.#countOf(key) + by;
      if (count === 0) this.#of.delete(key);
      else this.#of.set(key, count);
    }
  }
}
