/** Tokens per second, and burst size. */
export interface Rate {
  perS: number;
  burst: number;
}

/** A token bucket that can go into debt; the caller waits until the debt is paid. */
export class TokenBucket {
  #rate: Rate;
  #tokens: number;
  #atMs: number;

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#atMs = nowMs;
  }

  /** Applies a new rate. */
  allow(rate: Rate, nowMs: number): void {
    this.#refill(nowMs);
    this.#rate = rate;
  }

  take(nowMs: number): void {
    this.#refill(nowMs);
    this.#tokens -= 1;
  }

  /**
   * Time until the debt is paid, or until this many tokens are available; 0 if that is now. A caller that asks before
   * taking tokens never goes into debt.
   */
  waitMs(nowMs: number, tokens = 0): number {
    this.#refill(nowMs);
    return this.#tokens >= tokens ? 0 : Math.ceil(((tokens - this.#tokens) / this.#rate.perS) * 1000);
  }

  /** Whether the bucket was below its rate for the last second. */
  isRested(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#tokens >= Math.min(this.#rate.perS, this.#rate.burst);
  }

  isFull(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#tokens >= this.#rate.burst;
  }

  #refill(nowMs: number): void {
    // A clock that is set back does not remove tokens.
    const passedMs = Math.max(0, nowMs - this.#atMs);
    const { perS, burst } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + (passedMs / 1000) * perS);
    this.#atMs = nowMs;
  }
}

/** The buckets of recent devices or callers. A full bucket is the same as a new one, so it can be removed. */
export class Buckets {
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #max: number;

  constructor(max = 50_000) {
    this.#max = max;
  }

  get size(): number {
    return this.#buckets.size;
  }

  of(key: string, rate: Rate, nowMs: number): TokenBucket {
    const bucket = this.#buckets.get(key) ?? new TokenBucket(rate, nowMs);
    bucket.allow(rate, nowMs);
    this.put(key, bucket, nowMs);
    return bucket;
  }

  put(key: string, bucket: TokenBucket, nowMs: number): void {
    // Moving the key to the end keeps the map in order of use (LRU), so the first entries are the ones to
    // evict.
    this.#buckets.delete(key);
    for (const [oldest, unused] of this.#buckets) {
      if (this.#buckets.size < this.#max && !unused.isFull(nowMs)) break;
      this.#buckets.delete(oldest);
    }
    this.#buckets.set(key, bucket);
  }
}
