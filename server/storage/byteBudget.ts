/** Bounds how many bytes are held at a time; who finds too few left waits for its turn. */
export class ByteBudget {
  #left: number;
  readonly #waiting: { bytes: number; go: () => void }[] = [];

  constructor(bytesMax: number) {
    this.#left = bytesMax;
  }

  /** Answers, when there is room, what gives it back. */
  async take(bytes: number): Promise<() => void> {
    if (this.#waiting.length > 0 || this.#left < bytes)
      await new Promise<void>(go => this.#waiting.push({ bytes, go }));
    else this.#left -= bytes;
    return () => {
      this.#left += bytes;
      for (let next = this.#waiting[0]; next && next.bytes <= this.#left; next = this.#waiting[0]) {
        this.#left -= next.bytes;
        this.#waiting.shift();
        next.go();
      }
    };
  }
}
