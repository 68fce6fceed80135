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
import { type Common, projectOf, projectsOf } from './promptLane.ts';

/** The most jobs of a batch. */
const jobsMax = 1000;
/** After this many stopped expressions of a project, the rest of its batch is not evaluated. */
const stoppedMax = 3;

/** Told when an expression was stopped, before anything else is evaluated. */
export type Stopped = (job: Job, because: string) => Promise<void>;

interface Batch {
  jobs: readonly Job[];
  stopped: Stopped | undefined;
}

/**
 * Evaluates what takes long, one batch after another. If an expression hangs, or ends the process, only that expression
 * fails: the process is replaced, and the others of its batch are evaluated again. Likewise, an expression that is slow
 * for many events fails alone, and so does a project whose expressions are slow in total.
 */
export class LateLane {
  readonly #common: Common;
  readonly #turns: FairTurns;
  #process: EvaluatorProcess | undefined;

  constructor(common: Common) {
    this.#common = common;
    this.#turns = new FairTurns(common.shares);
  }

  /** In batches, so that other callers get their turn in between. */
  async evaluate(jobs: readonly Job[], stopped?: Stopped): Promise<Evaluated[]> {
    const results: Evaluated[] = [];
    for (let from = 0; from < jobs.length; from += jobsMax) {
      const batch = { jobs: jobs.slice(from, from + jobsMax), stopped };
      results.push(...(await this.#turns.take(projectsOf(batch.jobs), () => this.#batch(batch))));
    }
    return results;
  }

  async end(): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    await ending?.end();
  }

  async #batch({ jobs, stopped }: Batch): Promise<Evaluated[]> {
    const { resting } = this.#common;
    const stoppedHere = new Map<string, string>();
    const stoppedOf = new Map<string, number>();
    const errorOf = (job: Job) => {
      const error = stoppedHere.get(expressionOf(job)) ?? resting.errorOf(job);
      return error ?? ((stoppedOf.get(job.of ?? '') ?? 0) >= stoppedMax ? tooMuchInAll : undefined);
    };
    for (;;) {
      const refused = jobs.map(errorOf);
      const asked = jobs.filter((_, at) => refused[at] === undefined);
      const answer = asked.length === 0 ? { results: [], spent: [], usedMs: [] } : await this.#charged(asked);
      if ('job' in answer) {
        const { job, because } = answer;
        resting.add(expressionOf(job), because);
        stoppedHere.set(expressionOf(job), because);
        if (job.of !== undefined) stoppedOf.set(job.of, (stoppedOf.get(job.of) ?? 0) + 1);
        await stopped?.(job, because);
        continue;
      }
      const results = answer.results.values();
      for (const expression of answer.spent) resting.add(expression, tooMuch);
      return refused.map((error): Evaluated => {
        if (error !== undefined) return { error };
        const result = results.next().value;
        return result && !('late' in result) ? result : { error: tooSlow };
      });
    }
  }

  /** A project pays for the processes that its expressions end, too. */
  async #charged(jobs: readonly Job[]): Promise<Answer | Guilty> {
    const { shares } = this.#common;
    const beganMs = performance.now();
    const answer = await findGuilty(this.#ask, jobs);
    if ('job' in answer) shares.charge(projectOf(answer.job), performance.now() - beganMs);
    else for (const [project, ms] of answer.usedMs) shares.charge(project, ms);
    return answer;
  }

  readonly #ask: Ask = async (content, how) => {
    if (!this.#process?.isUsable) this.#process = new EvaluatorProcess(this.#common.thread, { isLate: true });
    return this.#process.ask(content, how);
  };
}
