const devicesMax = 50_000;
/** Limit per device and interval; further messages are dropped. */
const kindsMax = 100;

/** Throttles repeated messages per device, so that one noisy device does not affect others. */
export class DeviceRepeatThrottle {
  readonly #devices = new Map<string, { kinds: Map<string, number>; lastMs: number }>();
  readonly #withinMs: number;

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  /** Number of devices that are tracked. */
  get size(): number {
    return this.#devices.size;
  }

  /** `kind` is stored, so it must be short. */
  isFirst(deviceId: string, kind: string, nowMs: number): boolean {
    const kinds = this.#devices.get(deviceId)?.kinds ?? new Map<string, number>();
    for (const [oldest, atMs] of kinds) {
      if (nowMs - atMs < this.#withinMs) break;
      kinds.delete(oldest);
    }
    if (kinds.has(kind) || kinds.size >= kindsMax) return false;
    kinds.set(kind, nowMs);
    // Moving the device to the end keeps the map in order of time, so the first entries are the ones to
    // evict.
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
