import { throttledMaxS } from '#rules/devices/gatewayLimits.ts';
import type { TokenBucket } from '#server/infra/pace/tokenBucket.ts';

/**
 * Throttles one connection that exceeds the rate of its device, and detects when that lasts too long. Messages whose
 * acknowledgement the device awaits can wait without limit: a backlog after an outage is held back and drains at the
 * rate, while closing the connection would only make the device send it again.
 */
export class Throttle {
  /** Since when the rate has been exceeded without a pause of a second; undefined while it is not exceeded. */
  #sinceMs: number | undefined;
  #isHolding = false;
  /** Packets since `#sinceMs`, and how many of them the device awaits an answer to. */
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
