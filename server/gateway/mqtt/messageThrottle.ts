import { throttledMaxS } from '#contract/deviceProtocol.ts';
import type { TokenBucket } from '#server/pace/tokenBucket.ts';

/** Holds back what one connection sends over the rate of its device, and knows when that has lasted too long. */
export class Throttle {
  /** Since when more comes than may, with no second of rest; undefined while it does not. */
  #sinceMs: number | undefined;
  #isHolding = false;

  /** Whether the next packet has to wait. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** Counts a packet; answers how long the next one has to wait, until `release`. */
  count(bucket: TokenBucket, nowMs: number): number {
    this.#rest(bucket, nowMs);
    bucket.take(nowMs);
    const waitMs = bucket.waitMs(nowMs);
    if (waitMs === 0) return 0;
    this.#sinceMs ??= nowMs;
    this.#isHolding = true;
    return waitMs;
  }

  release(): void {
    this.#isHolding = false;
  }

  /** Whether too much has come for too long, and still does: who is quiet meanwhile has done nothing more. */
  isOverdue(bucket: TokenBucket, nowMs: number): boolean {
    this.#rest(bucket, nowMs);
    if (this.#sinceMs === undefined || !this.#isHolding) return false;
    return nowMs - this.#sinceMs > throttledMaxS * 1000;
  }

  #rest(bucket: TokenBucket, nowMs: number): void {
    if (this.#sinceMs !== undefined && bucket.isRested(nowMs)) this.#sinceMs = undefined;
  }
}
