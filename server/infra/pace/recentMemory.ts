interface Remembered<Value> {
  value: Value;
  /** The id that notices use for this value. */
  about: string;
  untilMs: number;
  /** The number of notices received when its read began. */
  heard: number;
}

type Read<Value> = () => Promise<{ value: Value; about: string } | undefined>;

/**
 * Caches values from the database for a few seconds, or until a notice says that they changed. Notices can be lost, so
 * the time limits how old a value can be. A value that was being read when a notice arrived may be outdated, and is not
 * trusted.
 */
export class RecentMemory<Value> {
  readonly #byKey = new Map<string, Remembered<Value>>();
  /** The number of the newest notice for each id. */
  readonly #noticeOf = new Map<string, number>();
  readonly #bounds: { trustMs: number; max: number };
  #heard = 0;

  constructor(bounds: { trustMs: number; max: number }) {
    this.#bounds = bounds;
  }

  /** Values about this id that were read before now are no longer trusted. */
  outdate(about: string): void {
    this.#heard += 1;
    this.#setNewest(this.#noticeOf, about, this.#heard);
  }

  /**
   * Returns the cached value at once, or else reads it; `about` is its id in notices. Missing values are not cached.
   */
  find(key: string, nowMs: number, read: Read<Value>): Value | Promise<Value | undefined> {
    const known = this.#byKey.get(key);
    if (known && known.untilMs > nowMs && (this.#noticeOf.get(known.about) ?? 0) <= known.heard)
      return known.value;
    return this.#read(key, nowMs, read);
  }

  async #read(key: string, nowMs: number, read: Read<Value>): Promise<Value | undefined> {
    const heard = this.#heard;
    const found = await read();
    if (!found) return undefined;
    this.#setNewest(this.#byKey, key, { ...found, untilMs: nowMs + this.#bounds.trustMs, heard });
    return found.value;
  }

  /** Bounds a map by evicting the oldest entry. */
  #setNewest<V>(map: Map<string, V>, key: string, value: V): void {
    map.delete(key);
    map.set(key, value);
    const oldest = map.size > this.#bounds.max ? map.keys().next().value : undefined;
    if (oldest !== undefined) map.delete(oldest);
  }
}
