/** So many a second, and so many at once. Who takes more than there is has a debt, and waits until it is paid. */
export class TokenBucket {
  readonly #perS: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  constructor(perS: number, burst: number, nowMs: number) {
    this.#perS = perS;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  take(nowMs: number): void {
    this.#refill(nowMs);
    this.#tokens -= 1;
  }

  /** Until there is something to take again; 0: there is. */
  waitMs(nowMs: number): number {
    this.#refill(nowMs);
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / this.#perS) * 1000);
  }

  /** Whether nobody took as much as is allowed for the last second. */
  isRested(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#tokens >= Math.min(this.#perS, this.#burst);
  }

  #refill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#tokens = Math.min(this.#burst, this.#tokens + (passedMs / 1000) * this.#perS);
    this.#atMs = nowMs;
  }
}

/** A bucket for each device that comes by, as long as it is not too long ago. */
export class Buckets {
  readonly #perS: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(perS: number, burst: number) {
    this.#perS = perS;
    this.#burst = burst;
  }

  of(deviceId: string, nowMs: number): TokenBucket {
    const bucket = this.#buckets.get(deviceId) ?? new TokenBucket(this.#perS, this.#burst, nowMs);
    // Moving the key to the end keeps the map ordered by use, so that the first one is the one to forget.
    this.#buckets.delete(deviceId);
    this.#buckets.set(deviceId, bucket);
    if (this.#buckets.size > bucketsMax) this.#buckets.delete(this.#buckets.keys().next().value ?? '');
    return bucket;
  }
}

const bucketsMax = 50_000;
