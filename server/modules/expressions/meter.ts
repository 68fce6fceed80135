/** The most that the evaluation of one expression can use. About 50 ms, and a fraction of the evaluator's memory. */
export const stepsMax = 1_000_000;
export const allocatedBytesMax = 8 * 1024 * 1024;

/** The budget of an evaluation is used up. */
export class OverBudget extends Error {}

const tooManySteps = 'It was stopped: it takes too many steps for these values.';
const tooManyBytes = 'It was stopped: its texts and lists become too large for these values.';

/**
 * The budget of one evaluation. Charged before the work is done, because a single call can otherwise allocate more than
 * any limit on memory catches.
 */
export class Meter {
  #steps = 0;
  #bytes = 0;
  #spent: OverBudget | undefined;

  begin(): void {
    this.#steps = 0;
    this.#bytes = 0;
    this.#spent = undefined;
  }

  /** What was granted. */
  get used(): { steps: number; bytes: number } {
    return { steps: this.#steps, bytes: this.#bytes };
  }

  steps(count: number): void {
    if (this.#steps + count > stepsMax) this.#spent ??= new OverBudget(tooManySteps);
    this.throwIfSpent();
    this.#steps += count;
  }

  bytes(count: number): void {
    if (this.#bytes + count > allocatedBytesMax) this.#spent ??= new OverBudget(tooManyBytes);
    this.throwIfSpent();
    this.#bytes += count;
  }

  /**
   * Throws the same error again and again: `&&`, `||` and loops go on after an error, and what follows must cost next to
   * nothing.
   */
  throwIfSpent(): void {
    if (this.#spent) throw this.#spent;
  }
}
