const windowMs = 30_000;
const openMs = 10_000;
/** Fewer calls say nothing. */
const callsMin = 20;
/** In slices, so that what is older than the window can be left out. */
const sliceMs = 3_000;

interface Slice {
  at: number;
  calls: number;
  failed: number;
}

/**
 * Circuit breaker: opens where half of at least 20 calls within 30 s failed, and then spares the back end for 10 s. What
 * the back end answers is no failure, whatever its status.
 */
export class Breaker {
  #slices: Slice[] = [];
  #openUntil = 0;

  /** Until when calls are refused; undefined: they are not. */
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
