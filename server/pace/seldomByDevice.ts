const devicesMax = 50_000;
/** What there is to tell of one device in that time; of what is more nothing is told. */
const kindsMax = 100;

/** Tells the first of its kind within a time from those that repeat it. A device that repeats much costs no other one. */
export class SeldomByDevice {
  readonly #devices = new Map<string, { kinds: Map<string, number>; lastMs: number }>();
  readonly #withinMs: number;

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  /** How many devices are remembered. */
  get size(): number {
    return this.#devices.size;
  }

  /** `kind` is kept: it is to be short. */
  isFirst(deviceId: string, kind: string, nowMs: number): boolean {
    const kinds = this.#devices.get(deviceId)?.kinds ?? new Map<string, number>();
    for (const [oldest, atMs] of kinds) {
      if (nowMs - atMs < this.#withinMs) break;
      kinds.delete(oldest);
    }
    if (kinds.has(kind) || kinds.size >= kindsMax) return false;
    kinds.set(kind, nowMs);
    // Moving the device to the end keeps the map ordered by time, so that the first ones are those to forget.
    this.#devices.delete(deviceId);
    this.#devices.set(deviceId, { kinds, lastMs: nowMs });
    this.#forget(nowMs);
    return true;
  }

  #forget(nowMs: number): void {
    for (const [oldest, { lastMs }] of this.#devices) {
      if (this.#devices.size <= devicesMax && nowMs - lastMs < this.#withinMs) return;
      this.#devices.delete(oldest);
    }
  }
}
