import {
  type Evaluated,
  expressionOf,
  type Job,
  tooMuch,
  tooMuchInAll,
} from '#server/modules/expressions/given.ts';
import { EvaluatorProcess } from './evaluatorProcess.ts';
import { type Ask, findGuilty, tooSlow } from './findGuilty.ts';

/** The most jobs of a batch. */
const jobsMax = 1000;
/** A stopped expression is not evaluated again for this long; otherwise it would keep slowing down the others. */
const restMs = 30_000;
/** After this many stopped expressions of a project, the rest of its batch is not evaluated. */
const stoppedMax = 3;

/** Told when an expression was stopped, before anything else is evaluated. */
export type Stopped = (job: Job, because: string) => Promise<void>;

interface Batch {
  jobs: readonly Job[];
  stopped: Stopped | undefined;
}

/**
 * Evaluates expressions in a process of its own, one batch after another. If an expression hangs, or ends the process,
 * only that expression fails: the process is replaced, and the others of its batch are evaluated again. Likewise, an
 * expression that is slow for many events fails alone, and so does a project whose expressions are slow in total.
 */
export class Evaluator {
  readonly #thread: URL;
  #process: EvaluatorProcess | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** By expression: until when it is not evaluated, and why. */
  readonly #resting = new Map<string, { untilMs: number; error: string }>();

  constructor(thread = new URL('./evaluationThread.ts', import.meta.url)) {
    this.#thread = thread;
  }

  /** Evaluates jobs in batches, so that other callers get their turn in between. */
  async evaluate(jobs: readonly Job[], stopped?: Stopped): Promise<Evaluated[]> {
    const results: Evaluated[] = [];
    for (let at = 0; at < jobs.length; at += jobsMax) {
      const done = this.#queue.then(() => this.#batch({ jobs: jobs.slice(at, at + jobsMax), stopped }));
      this.#queue = done.catch(() => undefined);
      results.push(...(await done));
    }
    return results;
  }

  /** Ends the process; it is started again when it is needed. */
  async end(): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    await ending?.end();
  }

  async #batch({ jobs, stopped }: Batch): Promise<Evaluated[]> {
    const stoppedOf = new Map<string, number>();
    const isSpent = ({ of = '' }: Job) => of !== '' && (stoppedOf.get(of) ?? 0) >= stoppedMax;
    for (;;) {
      const nowMs = performance.now();
      for (const [expression, { untilMs }] of this.#resting)
        if (untilMs <= nowMs) this.#resting.delete(expression);
      const asked = jobs.filter(job => !this.#resting.has(expressionOf(job)) && !isSpent(job));
      const answer = asked.length === 0 ? { results: [], spent: [] } : await findGuilty(this.#ask, asked);
      if ('job' in answer) {
        const { job, because } = answer;
        this.#rest(expressionOf(job), because);
        stoppedOf.set(job.of ?? '', (stoppedOf.get(job.of ?? '') ?? 0) + 1);
        await stopped?.(job, because);
        continue;
      }
      const results = answer.results.values();
      const evaluated = jobs.map((job): Evaluated => {
        const resting = this.#resting.get(expressionOf(job));
        if (resting) return { error: resting.error };
        return isSpent(job) ? { error: tooMuchInAll } : (results.next().value ?? { error: tooSlow });
      });
      for (const expression of answer.spent) this.#rest(expression, tooMuch);
      return evaluated;
    }
  }

  readonly #ask: Ask = async (content, how) => {
    if (!this.#process?.isUsable) this.#process = new EvaluatorProcess(this.#thread);
    return this.#process.ask(content, how);
  };

  #rest(expression: string, error: string): void {
    this.#resting.set(expression, { untilMs: performance.now() + restMs, error });
  }
}

/** Evaluates what runs, tests and explanations need. */
export const evaluator = new Evaluator();

/** Evaluates the conditions of events: these must not queue behind the many small batches of runs. */
export const conditionEvaluator = new Evaluator();
