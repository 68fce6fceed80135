interface Slot {
  packetId: number;
  isDone: boolean;
}

/** Acknowledges messages in order of arrival, however long each takes to store ([MQTT-4.6.0-2]). */
export class AckLine {
  readonly #send: (packetId: number) => void;
  #slots: Slot[] = [];

  constructor(send: (packetId: number) => void) {
    this.#send = send;
  }

  /** Returns a function to call when the message can be acknowledged. */
  add(packetId: number): () => void {
    const slot = { packetId, isDone: false };
    this.#slots.push(slot);
    return () => {
      slot.isDone = true;
      if (this.#slots[0] !== slot) return;
      const next = this.#slots.findIndex(({ isDone }) => !isDone);
      const done = this.#slots.splice(0, next === -1 ? this.#slots.length : next);
      for (const { packetId } of done) this.#send(packetId);
    };
  }
}
