interface Remembered<Value> {
  value: Value;
  /** What it is about, by which notices name it. */
  about: string;
  untilMs: number;
  /** How many notices had been heard when its reading began. */
  heard: number;
}

type Read<Value> = () => Promise<{ value: Value; about: string } | undefined>;

/**
 * Remembers what was read from the database for a few seconds, and for less where a notice says that it changed. A
 * notice may be lost, so that the time bounds how old a value can be. A value that was being read while a notice came
 * may be older than it, and is not trusted.
 */
export class RecentMemory<Value> {
  readonly #byKey = new Map<string, Remembered<Value>>();
  /** The number of the newest notice about each thing. */
  readonly #noticeOf = new Map<string, number>();
  readonly #bounds: { trustMs: number; max: number };
  #heard = 0;

  constructor(bounds: { trustMs: number; max: number }) {
    this.#bounds = bounds;
  }

  /** What was read about it before now is not trusted any more. */
  outdate(about: string): void {
    this.#heard += 1;
    this.#setNewest(this.#noticeOf, about, this.#heard);
  }

  /**
   * The remembered value, at once, else what `read` finds; `about` names it for notices. What is not there is not
   * remembered.
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

  /** A map is bounded by leaving out the oldest. */
  #setNewest<V>(map: Map<string, V>, key: string, value: V): void {
    map.delete(key);
    map.set(key, value);
    const oldest = map.size > this.#bounds.max ? map.keys().next().value : undefined;
    if (oldest !== undefined) map.delete(oldest);
  }
}
