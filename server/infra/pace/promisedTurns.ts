import { minuteMs } from '#rules/time/durations.ts';

/** How long a turn is kept for whoever was told to wait. No wait is as long. */
const keptMs = minuteMs;
const turnsMax = 100_000;

/**
 * The turns that were promised by `Retry-After`, and when. In memory, because nothing is lost with them but another
 * wait, and a program that is refused must not fill the database.
 */
export class PromisedTurns {
  readonly #dueMs = new Map<string, number>();

  /** Returns how long to wait. Asking again does not move the turn. */
  promise(who: string, nowMs: number, waitMs: number): number {
    const promised = this.#dueMs.get(who);
    // One that is further away was promised while the clock was ahead.
    if (promised !== undefined && nowMs < promised && promised <= nowMs + keptMs) return promised - nowMs;
    this.#dueMs.delete(who);
    this.#dueMs.set(who, nowMs + waitMs);
    this.#forget(nowMs);
    return waitMs;
  }

  isDue(who: string, nowMs: number): boolean {
    const dueMs = this.#dueMs.get(who);
    return dueMs !== undefined && nowMs >= dueMs && nowMs < dueMs + keptMs;
  }

  put(who: string): void {
    this.#dueMs.delete(who);
  }

  /** The oldest come first, because promises are for about the same time. */
  #forget(nowMs: number): void {
    for (const [who, dueMs] of this.#dueMs) {
      if (nowMs < dueMs + keptMs && this.#dueMs.size <= turnsMax) return;
      this.#dueMs.delete(who);
    }
  }
}
