import { expressionOf, type Job } from '#server/modules/expressions/given.ts';

/** A stopped expression is not evaluated again for this long; otherwise it would keep slowing down the others. */
const restMs = 30_000;

/** Expressions that were stopped a moment ago. */
export class RestingExpressions {
  /** By expression: until when it is not evaluated, and why. */
  readonly #all = new Map<string, { untilMs: number; error: string }>();

  /** Why a job is not evaluated; undefined if it is. */
  errorOf(job: Job): string | undefined {
    const resting = this.#all.get(expressionOf(job));
    return resting && resting.untilMs > performance.now() ? resting.error : undefined;
  }

  add(expression: string, error: string): void {
    const nowMs = performance.now();
    for (const [one, { untilMs }] of this.#all) if (untilMs <= nowMs) this.#all.delete(one);
    this.#all.set(expression, { untilMs: nowMs + restMs, error });
  }
}
