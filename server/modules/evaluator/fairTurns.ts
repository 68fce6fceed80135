import type { Shares } from './shares.ts';

interface Waiting {
  projects: readonly string[];
  begin: () => void;
}

/**
 * Gives one caller at a time its turn: the one whose projects used the least time of late, and of equals the first. A
 * project with heavy expressions waits for the others, but is never refused: an idle evaluator is all its own.
 */
export class FairTurns {
  readonly #shares: Shares;
  readonly #waiting: Waiting[] = [];
  #isTaken = false;

  constructor(shares: Shares) {
    this.#shares = shares;
  }

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

  /** False if nobody waits. */
  #beginNext(): boolean {
    const nowMs = performance.now();
    const usedBy = ({ projects }: Waiting) =>
      projects.reduce((most, project) => Math.max(most, this.#shares.usedMs(project, nowMs)), 0);
    let next: { at: number; usedMs: number } | undefined;
    for (const [at, one] of this.#waiting.entries()) {
      const usedMs = usedBy(one);
      if (!next || usedMs < next.usedMs) next = { at, usedMs };
    }
    const [chosen] = next ? this.#waiting.splice(next.at, 1) : [];
    chosen?.begin();
    return chosen !== undefined;
  }
}
