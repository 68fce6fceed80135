const keysMax = 10_000;

/** Tells the first of its kind within a time from those that repeat it. */
export class Seldom {
  readonly #seenAt = new Map<string, number>();
  readonly #withinMs: number;

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  isFirst(key: string, nowMs: number): boolean {
    const seenAt = this.#seenAt.get(key);
    if (seenAt !== undefined && nowMs - seenAt < this.#withinMs) return false;
    // Moving the key to the end keeps the map ordered by time, so that the first one is the one to forget.
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
