/** Time that a project used counts half after this long. */
const halfLifeMs = 5_000;
/** A project that used more than this of late is evaluated apart from the others of a caller, after them. */
const shareMs = 500;
/** Less than this is forgotten, once this many projects are known. */
const forgottenMs = 0.1;
const forgetMin = 1_000;

interface Waiting {
  projects: readonly string[];
  begin: () => void;
}

/**
 * Gives one caller at a time its turn: the one whose projects used the least time of late, and of equals the first. A
 * project with heavy expressions waits for the others, but is never refused: an idle evaluator is all its own.
 */
export class FairTurns {
  readonly #waiting: Waiting[] = [];
  /** By project. */
  readonly #used = new Map<string, { ms: number; atMs: number }>();
  #forgetAt = forgetMin;
  #isTaken = false;

  async take<T>(projects: readonly string[], work: () => Promise<T>): Promise<T> {
    if (this.#isTaken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push({ projects, begin: resolve });
      await promise;
    }
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      this.#isTaken = this.#beginNext();
    }
  }

  isOverShare(project: string): boolean {
    return this.#usedBy(project, performance.now()) > shareMs;
  }

  /** Divides the time among projects in proportion to their weights. */
  charge(ms: number, weights: readonly (readonly [project: string, weight: number])[]): void {
    const atMs = performance.now();
    const sum = weights.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [project, weight] of weights)
      this.#used.set(project, {
        ms: this.#usedBy(project, atMs) + (sum > 0 ? (ms * weight) / sum : 0),
        atMs,
      });
    if (this.#used.size > this.#forgetAt) this.#forget(atMs);
  }

  #forget(nowMs: number): void {
    for (const project of this.#used.keys())
      if (this.#usedBy(project, nowMs) < forgottenMs) this.#used.delete(project);
    this.#forgetAt = forgetMin + 2 * this.#used.size;
  }

  /** False if nobody waits. */
  #beginNext(): boolean {
    const nowMs = performance.now();
    const usedBy = ({ projects }: Waiting) =>
      projects.reduce((most, project) => Math.max(most, this.#usedBy(project, nowMs)), 0);
    let next: { at: number; usedMs: number } | undefined;
    for (const [at, one] of this.#waiting.entries()) {
      const usedMs = usedBy(one);
      if (!next || usedMs < next.usedMs) next = { at, usedMs };
    }
    const [chosen] = next ? this.#waiting.splice(next.at, 1) : [];
    chosen?.begin();
    return chosen !== undefined;
  }

  #usedBy(project: string, nowMs: number): number {
    const used = this.#used.get(project);
    return used ? used.ms * 0.5 ** ((nowMs - used.atMs) / halfLifeMs) : 0;
  }
}
