import type { AnyEndpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { networkOf } from '#server/infra/pace/networkOf.ts';
import { Buckets, type Rate } from '#server/infra/pace/tokenBucket.ts';

/** Requests per second, and burst, for a signed-in developer and for an address without a session. */
const bounds = { developer: { perS: 100, burst: 500 }, address: { perS: 30, burst: 200 } };
const bucketsMax = 100_000;

/** A rate set by a project, with a burst of `burstS` seconds' worth of calls. */
export const rateOf = (perS: number, { burstS }: { burstS: number }): Rate => ({
  perS,
  burst: perS * burstS,
});

/** Rate limits of the API, in memory. They limit load; password guesses are throttled in the database instead. */
export class Limits {
  readonly #buckets = new Buckets(bucketsMax);
  readonly #on: boolean;

  constructor(on: boolean) {
    this.#on = on;
  }

  checkCaller(developerId: string | undefined, address: string, nowMs: number): void {
    if (developerId) this.take(developerId, bounds.developer, nowMs);
    else this.takeOfAddress('address', address, bounds.address, nowMs);
  }

  checkEndpoint(endpoint: AnyEndpoint, address: string, nowMs: number): void {
    if (!endpoint.limit) return;
    const { count, windowS } = endpoint.limit;
    this.takeOfAddress(endpoint.name, address, { perS: count / windowS, burst: count }, nowMs);
  }

  /** Takes from the bucket of an address for a purpose, such as `sign-in thermo@prj_1`. */
  takeOfAddress(purpose: string, address: string, rate: Rate, nowMs: number): void {
    this.take(`${purpose} ${networkOf(address)}`, rate, nowMs);
  }

  take(key: string, rate: Rate, nowMs: number): void {
    if (!this.#on) return;
    const bucket = this.#buckets.of(key, rate, nowMs);
    const waitMs = bucket.waitMs(nowMs, 1);
    if (waitMs > 0) throw new Problem('TOO_MANY_REQUESTS', { retryAfterS: Math.ceil(waitMs / 1000) });
    bucket.take(nowMs);
  }
}
