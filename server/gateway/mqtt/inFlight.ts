const packetIdMax = 65_535;

/** Messages of ours that a device has not acknowledged, by their packet identifiers. */
export class InFlight {
  readonly #waiting = new Map<number, () => void>();
  #last = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** Answers an identifier that is free; `acknowledged` is called when the device says it. */
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
