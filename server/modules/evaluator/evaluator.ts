import { serialize } from 'node:v8';
import {
  type Answer,
  type Evaluated,
  expressionOf,
  type Job,
  tooMuch,
  tooMuchInAll,
} from '#server/modules/expressions/given.ts';
import { EvaluatorProcess } from './evaluatorProcess.ts';

/** Limits of a batch. Its values must fit into the memory of the evaluator several times. */
const jobsMax = 1000;
const bytesMax = 4 * 1024 * 1024;
/** A stopped expression is not evaluated again for this long; otherwise it would keep slowing down the others. */
const restMs = 30_000;
/** After this many stopped expressions of a project, the rest of its batch is not evaluated. */
const stoppedMax = 3;
/** After this many deaths that no expression explains, a batch is given up. */
const deathsMax = 3;

export const tooSlow = 'It was stopped: it took longer than 500 ms.';
export const tooLarge = 'It was stopped: it used more memory than an expression may.';

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
      const answer = asked.length === 0 ? { results: [], spent: [] } : await this.#ask(asked);
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

  /** Asks in parts if the values are too large for one. `job`: the one that was stopped. */
  async #ask(jobs: readonly Job[]): Promise<Answer | { job: Job; because: string }> {
    const content = serialize(jobs) as Buffer<ArrayBuffer>;
    if (content.length > bytesMax && jobs.length > 1) {
      const half = Math.ceil(jobs.length / 2);
      const first = await this.#ask(jobs.slice(0, half));
      if ('job' in first) return first;
      const second = await this.#ask(jobs.slice(half));
      if ('job' in second) return second;
      return {
        results: [...first.results, ...second.results],
        spent: [...first.spent, ...second.spent],
      };
    }
    return this.#askProcess(jobs, content);
  }

  async #askProcess(
    jobs: readonly Job[],
    content: Buffer<ArrayBuffer>,
  ): Promise<Answer | { job: Job; because: string }> {
    // If the process dies, the batch is evaluated once more, with a mark before each job that tells which of them it was.
    for (let deaths = 0; deaths < deathsMax; deaths++) {
      if (!this.#process?.isUsable) this.#process = new EvaluatorProcess(this.#thread);
      const asked = await this.#process.ask(content, { isMarked: deaths > 0 });
      if ('answer' in asked) return asked.answer;
      const at = 'stopped' in asked ? asked.stopped : asked.died;
      const job = at === undefined ? undefined : jobs[at];
      if (job)
        return { job, because: 'because' in asked && asked.because === 'tooSlow' ? tooSlow : tooLarge };
    }
    throw new Error('The process that evaluates expressions ended several times');
  }

  #rest(expression: string, error: string): void {
    this.#resting.set(expression, { untilMs: performance.now() + restMs, error });
  }
}

/** Evaluates what runs, tests and explanations need. */
export const evaluator = new Evaluator();

/** Evaluates the conditions of events: these must not queue behind the many small batches of runs. */
export const conditionEvaluator = new Evaluator();
