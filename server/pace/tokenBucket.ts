/** So many a second, and so many at once. */
export interface Rate {
  perS: number;
  burst: number;
}

/** Who takes more than there is has a debt, and waits until it is paid. */
export class TokenBucket {
  #rate: Rate;
  #tokens: number;
  #atMs: number;

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#atMs = nowMs;
  }

  /** From now on there is so much. */
  allow(rate: Rate, nowMs: number): void {
    this.#refill(nowMs);
    this.#rate = rate;
  }

  take(nowMs: number): void {
    this.#refill(nowMs);
    this.#tokens -= 1;
  }

  /** Until there is something to take again; 0: there is. */
  waitMs(nowMs: number): number {
    this.#refill(nowMs);
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / this.#rate.perS) * 1000);
  }

  /** Whether nobody took as much as is allowed for the last second. */
  isRested(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#tokens >= Math.min(this.#rate.perS, this.#rate.burst);
  }

  isFull(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#tokens >= this.#rate.burst;
  }

  #refill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - this.#atMs);
    const { perS, burst } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + (passedMs / 1000) * perS);
    this.#atMs = nowMs;
  }
}

/** A bucket for each device that came by lately: one that is full again is like a new one, and forgotten. */
export class Buckets {
  readonly #buckets = new Map<string, TokenBucket>();

  get size(): number {
    return this.#buckets.size;
  }

  of(deviceId: string, rate: Rate, nowMs: number): TokenBucket {
    const bucket = this.#buckets.get(deviceId) ?? new TokenBucket(rate, nowMs);
    bucket.allow(rate, nowMs);
    this.keep(deviceId, bucket, nowMs);
    return bucket;
  }

  keep(deviceId: string, bucket: TokenBucket, nowMs: number): void {
    // Moving the key to the end keeps the map ordered by use, so that the first ones are those to forget.
    this.#buckets.delete(deviceId);
    for (const [oldest, unused] of this.#buckets) {
      if (this.#buckets.size < bucketsMax && !unused.isFull(nowMs)) break;
      this.#buckets.delete(oldest);
    }
    this.#buckets.set(deviceId, bucket);
  }
}

const bucketsMax = 50_000;
