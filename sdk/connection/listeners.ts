export type Hear<T> = (value: T) => void;
/** Stops hearing. */
export type Stop = () => void;

/** Who wants to be told of something. One who throws keeps neither the others nor the connection from going on. */
export class Listeners<T> {
  readonly #all = new Set<Hear<T>>();

  get some(): boolean {
    return this.#all.size > 0;
  }

  add(hear: Hear<T>): Stop {
    // Wrapped, so that the same function can be added twice and taken away once.
    const mine: Hear<T> = value => hear(value);
    this.#all.add(mine);
    return () => this.#all.delete(mine);
  }

  tell(value: T): void {
    for (const hear of this.#all) apart(() => hear(value));
  }
}

/** What keeps its value: who asks later is told at once what it is. */
export class Kept<T> extends Listeners<T> {
  latest: T | undefined;

  override add(hear: Hear<T>): Stop {
    const stop = super.add(hear);
    const { latest } = this;
    if (latest !== undefined) apart(() => hear(latest));
    return stop;
  }

  override tell(value: T): void {
    this.latest = value;
    super.tell(value);
  }
}

/** An error in there is reported as one that nobody caught. */
function apart(act: () => void): void {
  try {
    act();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
