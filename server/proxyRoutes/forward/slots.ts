import { Problem } from '#contract/problem.ts';

interface Waiter {
  /** False: the caller no longer wants the slot. */
  go: (hasSlot: boolean) => void;
  giveUp: (why: Problem) => void;
}

/**
 * Limits the concurrent calls of a route, and the number of waiting calls. A call takes a slot, not a socket, so that
 * the slot is not reused while its socket is still closing.
 */
export class Slots {
  readonly #max: number;
  readonly #waitingMax: number;
  readonly #waiting = new Set<Waiter>();
  #inUse = 0;

  constructor({ max, waitingMax }: { max: number; waitingMax: number }) {
    this.#max = max;
    this.#waitingMax = waitingMax;
  }

  get inUse(): number {
    return this.#inUse;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for a slot. False if the caller has left, as reported by `onLeft`; then no slot is taken. */
  take(waitMs: number, onLeft: (hear: () => void) => void): true | Promise<boolean> {
    if (this.#inUse >= this.#max) return this.#wait(waitMs, onLeft);
    this.#inUse += 1;
    return true;
  }

  async #wait(waitMs: number, onLeft: (hear: () => void) => void): Promise<boolean> {
    if (this.#waiting.size >= this.#waitingMax) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const waiter: Waiter = { go: resolve, giveUp: reject };
    this.#waiting.add(waiter);
    const timer = setTimeout(() => {
      if (this.#waiting.delete(waiter)) waiter.giveUp(busy());
    }, waitMs);
    onLeft(() => {
      if (this.#waiting.delete(waiter)) waiter.go(false);
    });
    return promise.finally(() => clearTimeout(timer));
  }

  /** Passes the slot to the call that has waited longest. */
  free(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#inUse -= 1;
      return;
    }
    this.#waiting.delete(next);
    next.go(true);
  }
}

const busy = () => new Problem('PROXY_BUSY', { retryAfterS: 1 });
