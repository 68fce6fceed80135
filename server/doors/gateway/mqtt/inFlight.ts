const packetIdMax = 65_535;

/** Outgoing messages that the device has not acknowledged, by packet identifier. */
export class InFlight {
  readonly #waiting = new Map<number, () => void>();
  #last = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** Returns an unused identifier; `acknowledged` is called on PUBACK. */
  add(acknowledged: () => void): number {
    do {
      this.#last = (this.#last % packetIdMax) + 1;
    } while (this.#waiting.has(this.#last));
    this.#waiting.set(this.#last, acknowledged);
    return this.#last;
  }

  acknowledged(packetId: number): void {
    const acknowledged = this.#waiting.get(packetId);
    this.#waiting.delete(packetId);
    acknowledged?.();
  }
}
