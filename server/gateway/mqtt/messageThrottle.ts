import { throttledMaxS } from '#contract/deviceProtocol.ts';
import type { TokenBucket } from '#server/pace/tokenBucket.ts';

/** Throttles one connection that exceeds the rate of its device, and detects when that lasts too long. */
export class Throttle {
  /** Since when the rate is exceeded without a second of rest; undefined while it is not. */
  #sinceMs: number | undefined;
  #isHolding = false;

  /** Whether the next packet has to wait. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** Counts a packet. Returns how long the next one must wait, until `release`. */
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

  /**
   * Whether the rate has been exceeded for too long and still is: a device that is quiet meanwhile is not
   * penalized further.
   */
  isOverdue(bucket: TokenBucket, nowMs: number): boolean {
    this.#rest(bucket, nowMs);
    if (this.#sinceMs === undefined || !this.#isHolding) return false;
    return nowMs - this.#sinceMs > throttledMaxS * 1000;
  }

  #rest(bucket: TokenBucket, nowMs: number): void {
    if (this.#sinceMs !== undefined && bucket.isRested(nowMs)) this.#sinceMs = undefined;
  }
}
