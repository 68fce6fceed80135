/** Limits how many bytes are in use at a time; if too few are left, callers wait in order. */
export class ByteBudget {
  #left: number;
  readonly #waiting: { bytes: number; go: () => void }[] = [];

  constructor(bytesMax: number) {
    this.#left = bytesMax;
  }

  /** Waits until the bytes are available, and returns a function that frees them. */
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
