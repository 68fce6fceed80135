import { Problem } from '#contract/problem.ts';
import type { ProxyLimits } from './proxyLimits.ts';
import { Tally } from './tally.ts';

/** The user whose call takes a slot, and the home that the call is about. */
export interface Taker {
  userId: string;
  homeId?: string | undefined;
}

interface Waiter {
  by: Taker;
  /** False: the caller no longer wants the slot. */
  go: (hasSlot: boolean) => void;
  giveUp: (why: Problem) => void;
}

/**
 * Limits the concurrent calls of a route, and the number of waiting calls. A user, and a home, can have only a share of
 * both, so that nobody can keep a route busy for all others. A call takes a slot, not a socket, so that the slot is not
 * reused while its socket is still closing.
 */
export class Slots {
  readonly #held: Tally;
  readonly #queued: Tally;
  readonly #waiting = new Set<Waiter>();

  constructor({ sockets, shares }: Pick<ProxyLimits, 'sockets' | 'shares'>) {
    this.#held = new Tally(sockets.max, shares);
    this.#queued = new Tally(sockets.waitingMax, shares);
  }

  get inUse(): number {
    return this.#held.count;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for a slot. False if the caller has left, as reported by `onLeft`; then no slot is taken. */
  take(by: Taker, waitMs: number, onLeft: (hear: () => void) => void): true | Promise<boolean> {
    if (!this.#held.hasRoom(by)) return this.#wait(by, waitMs, onLeft);
    this.#held.add(by);
    return true;
  }

  async #wait(by: Taker, waitMs: number, onLeft: (hear: () => void) => void): Promise<boolean> {
    if (!this.#queued.hasRoom(by)) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const waiter: Waiter = { by, go: resolve, giveUp: reject };
    this.#waiting.add(waiter);
    this.#queued.add(by);
    const timer = setTimeout(() => {
      if (this.#stopWaiting(waiter)) waiter.giveUp(busy());
    }, waitMs);
    onLeft(() => {
      if (this.#stopWaiting(waiter)) waiter.go(false);
    });
    return promise.finally(() => clearTimeout(timer));
  }

  #stopWaiting(waiter: Waiter): boolean {
    if (!this.#waiting.delete(waiter)) return false;
    this.#queued.remove(waiter.by);
    return true;
  }

  /** Passes the slot to the call that has waited longest, of those whose user and home have not used up their share. */
  free(by: Taker): void {
    this.#held.remove(by);
    for (const waiter of this.#waiting) {
      if (!this.#held.hasRoom(waiter.by)) continue;
      this.#stopWaiting(waiter);
      this.#held.add(waiter.by);
      waiter.go(true);
    }
  }
}

const busy = () => new Problem('PROXY_BUSY', { retryAfterS: 1 });
