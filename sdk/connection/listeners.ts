export type Hear<T> = (value: T) => void;
/** Removes the listener. */
export type Stop = () => void;

/** A set of listeners. One that throws stops neither the others nor the connection. */
export class Listeners<T> {
  readonly #all = new Set<Hear<T>>();

  get some(): boolean {
    return this.#all.size > 0;
  }

  add(hear: Hear<T>): Stop {
    // Wrapped, so that a function that was added twice can be removed once.
    const mine: Hear<T> = value => hear(value);
    this.#all.add(mine);
    return () => this.#all.delete(mine);
  }

  emit(value: T): void {
    for (const hear of this.#all) apart(() => hear(value));
  }
}

/** Listeners for a value that is kept: a new listener is called at once with the current value. */
export class Kept<T> extends Listeners<T> {
  latest: T | undefined;

  override add(hear: Hear<T>): Stop {
    const stop = super.add(hear);
    const { latest } = this;
    if (latest !== undefined) apart(() => hear(latest));
    return stop;
  }

  override emit(value: T): void {
    this.latest = value;
    super.emit(value);
  }
}

/** An error in a listener is reported as an uncaught one. */
export function apart(act: () => void): void {
  try {
    act();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
