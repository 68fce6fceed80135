const windowMs = 30_000;
const openMs = 10_000;
/** Fewer calls are not significant. */
const callsMin = 20;
/** Time is divided into slices, so that those older than the window can be dropped. */
const sliceMs = 3_000;

interface Slice {
  at: number;
  calls: number;
  failed: number;
}

/**
 * Circuit breaker: opens if at least half of 20 or more calls within 30 s failed, then spares the back end for 10 s. An
 * answer of the back end is never a failure, whatever its status.
 */
export class Breaker {
  #slices: Slice[] = [];
  #openUntil = 0;

  /** The time until which calls are refused; undefined if they are not. */
  openUntil(nowMs: number): number | undefined {
    return nowMs < this.#openUntil ? this.#openUntil : undefined;
  }

  record(hasFailed: boolean, nowMs: number): void {
    const at = Math.floor(nowMs / sliceMs);
    let current = this.#slices.at(-1);
    if (current?.at !== at) {
      this.#slices = this.#slices.filter(slice => slice.at > at - windowMs / sliceMs);
      current = { at, calls: 0, failed: 0 };
      this.#slices.push(current);
    }
    current.calls += 1;
    if (!hasFailed) return;
    current.failed += 1;
    const sum = (of: (slice: Slice) => number) => this.#slices.reduce((all, slice) => all + of(slice), 0);
    const calls = sum(slice => slice.calls);
    if (calls < callsMin || sum(slice => slice.failed) * 2 < calls) return;
    this.#openUntil = nowMs + openMs;
    this.#slices = [];
  }
}
