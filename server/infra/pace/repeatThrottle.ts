const keysMax = 10_000;

/** Throttles repeated messages: lets the first of its kind through per interval. */
export class RepeatThrottle {
  readonly #seenAt = new Map<string, number>();
  readonly #withinMs: number;

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  isFirst(key: string, nowMs: number): boolean {
    const seenAt = this.#seenAt.get(key);
    if (seenAt !== undefined && nowMs - seenAt < this.#withinMs) return false;
    // Moving the key to the end keeps the map in order of time, so the first entry is the one to evict.
    this.#seenAt.delete(key);
    this.#seenAt.set(key, nowMs);
    if (this.#seenAt.size > keysMax) this.#forgetOldest();
    return true;
  }

  #forgetOldest(): void {
    const oldest = this.#seenAt.keys().next().value;
    if (oldest !== undefined) this.#seenAt.delete(oldest);
  }
}
