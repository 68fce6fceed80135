import type { Endpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { networkOf } from '#server/pace/network.ts';

/** Calls a second that a signed-in developer, and an address without a session, may make; and how many at once. */
const bounds = { developer: { perS: 100, burst: 500 }, address: { perS: 30, burst: 200 } };
const bucketsMax = 100_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Token buckets in memory. They bound load; guesses of passwords are bounded in the database instead. */
export class Limits {
  readonly #buckets = new Map<string, Bucket>();
  readonly #on: boolean;

  constructor(on: boolean) {
    this.#on = on;
  }

  checkCaller(developerId: string | undefined, address: string, nowMs: number): void {
    const { perS, burst } = developerId ? bounds.developer : bounds.address;
    this.#take(developerId ?? `address ${networkOf(address)}`, perS, burst, nowMs);
  }

  checkEndpoint(endpoint: Endpoint, address: string, nowMs: number): void {
    if (!endpoint.limit) return;
    const { count, windowS } = endpoint.limit;
    this.#take(`${endpoint.name} ${networkOf(address)}`, count / windowS, count, nowMs);
  }

  #take(key: string, perS: number, burst: number, nowMs: number): void {
    if (!this.#on) return;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    // A clock that was set back takes nothing away.
    const passedMs = Math.max(0, nowMs - bucket.atMs);
    bucket.tokens = Math.min(burst, bucket.tokens + (passedMs / 1000) * perS);
    bucket.atMs = nowMs;
    // Moving the key to the end keeps the map ordered by use, so that the first one is the one to forget.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > bucketsMax) this.#forgetOldest();
    if (bucket.tokens < 1) {
      throw new Problem('TOO_MANY_REQUESTS', { retryAfterS: Math.ceil((1 - bucket.tokens) / perS) });
    }
    bucket.tokens -= 1;
  }

  #forgetOldest(): void {
    const oldest = this.#buckets.keys().next().value;
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
