import {
  type Answer,
  type Evaluated,
  expressionOf,
  type Job,
  tooMuch,
  tooMuchInAll,
} from '#server/modules/expressions/given.ts';
import { EvaluatorProcess } from './evaluatorProcess.ts';
import { FairTurns } from './fairTurns.ts';
import { type Ask, findGuilty, type Guilty, tooSlow } from './findGuilty.ts';

/** The most jobs of a batch. */
const jobsMax = 1000;
/** A stopped expression is not evaluated again for this long; otherwise it would keep slowing down the others. */
const restMs = 30_000;
/** After this many stopped expressions of a project, the rest of its batch is not evaluated. */
const stoppedMax = 3;

/** Told when an expression was stopped, before anything else is evaluated. */
export type Stopped = (job: Job, because: string) => Promise<void>;

/** A job and its place among those of its caller. */
interface Placed {
  job: Job;
  at: number;
}

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
  readonly #turns = new FairTurns();
  /** By expression: until when it is not evaluated, and why. */
  readonly #resting = new Map<string, { untilMs: number; error: string }>();

  constructor(thread = new URL('./evaluationThread.ts', import.meta.url)) {
    this.#thread = thread;
  }

  /**
   * Evaluates jobs in batches, so that other callers get their turn in between. Projects that used more than their share
   * of late come last.
   */
  async evaluate(jobs: readonly Job[], stopped?: Stopped): Promise<Evaluated[]> {
    const [light, heavy] = this.#byShare(jobs);
    const results: Evaluated[] = [];
    for (const some of [light, heavy])
      for (let from = 0; from < some.length; from += jobsMax) {
        const batch = some.slice(from, from + jobsMax);
        const projects = [...new Set(batch.map(({ job }) => projectOf(job)))];
        const evaluated = await this.#turns.take(projects, () =>
          this.#batch({ jobs: batch.map(({ job }) => job), stopped }),
        );
        for (const [n, { at }] of batch.entries()) results[at] = evaluated[n] ?? { error: tooSlow };
      }
    return results;
  }

  #byShare(jobs: readonly Job[]): [light: Placed[], heavy: Placed[]] {
    const over = new Set(jobs.map(projectOf));
    for (const project of over) if (!this.#turns.isOverShare(project)) over.delete(project);
    const [light, heavy]: [Placed[], Placed[]] = [[], []];
    for (const [at, job] of jobs.entries()) (over.has(projectOf(job)) ? heavy : light).push({ job, at });
    return [light, heavy];
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
      const answer = asked.length === 0 ? { results: [], spent: [], usedMs: [] } : await this.#charged(asked);
      if ('job' in answer) {
        const { job, because } = answer;
        this.#rest(expressionOf(job), because);
        stoppedOf.set(projectOf(job), (stoppedOf.get(projectOf(job)) ?? 0) + 1);
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

  /** A project pays for the processes that its expressions end, too. */
  async #charged(jobs: readonly Job[]): Promise<Answer | Guilty> {
    const beganMs = performance.now();
    let weights: readonly (readonly [string, number])[] = jobs.map(job => [projectOf(job), 1]);
    try {
      const answer = await findGuilty(this.#ask, jobs);
      weights = 'job' in answer ? [[projectOf(answer.job), 1]] : answer.usedMs;
      return answer;
    } finally {
      this.#turns.charge(performance.now() - beganMs, weights);
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

const projectOf = ({ of = '' }: Job) => of;

/** Evaluates what runs, tests and explanations need. */
export const evaluator = new Evaluator();

/** Evaluates the conditions of events: these must not queue behind the many small batches of runs. */
export const conditionEvaluator = new Evaluator();
