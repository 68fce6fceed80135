import { throttledMaxS } from '#contract/deviceProtocol.ts';
import type { TokenBucket } from '#server/pace/tokenBucket.ts';

/**
 * Throttles one connection that exceeds the rate of its device, and detects when that lasts too long. Messages whose
 * acknowledgement the device awaits may wait as long as they like: a backlog after an outage is held back and drains at
 * the rate, while closing the connection would only have it sent again.
 */
export class Throttle {
  /** Since when the rate is exceeded without a second of rest; undefined while it is not. */
  #sinceMs: number | undefined;
  #isHolding = false;
  /** Packets since then, and those of them that are acknowledged. */
  #counted = { all: 0, patient: 0 };

  /** Whether the next packet has to wait. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** Counts a packet. Returns how long the next one must wait, until `release`. */
  count(bucket: TokenBucket, nowMs: number, isPatient = false): number {
    this.#rest(bucket, nowMs);
    bucket.take(nowMs);
    const waitMs = bucket.waitMs(nowMs);
    if (waitMs === 0) return 0;
    if (this.#sinceMs === undefined) {
      this.#sinceMs = nowMs;
      this.#counted = { all: 0, patient: 0 };
    }
    this.#counted.all += 1;
    if (isPatient) this.#counted.patient += 1;
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
    const { all, patient } = this.#counted;
    return nowMs - this.#sinceMs > throttledMaxS * 1000 && patient * 2 < all;
  }

  #rest(bucket: TokenBucket, nowMs: number): void {
    if (this.#sinceMs !== undefined && bucket.isRested(nowMs)) this.#sinceMs = undefined;
  }
}
