import { type Answered, type Job, tooMuch } from '#server/modules/expressions/given.ts';
import { EvaluatorProcess } from './evaluatorProcess.ts';
import { FairTurns } from './fairTurns.ts';
import { askUntilSuspect, bytesMax, question, suspectIn } from './findGuilty.ts';
import type { RestingExpressions } from './restingExpressions.ts';
import { type Shares, shareMs } from './shares.ts';

/** The most jobs of a batch. */
const jobsMax = 1000;
/** A project that needs longer than this in one batch is late: that is how long it may delay the others. */
const sliceMs = 50;
/** After this many failures of the process, all that is left of a batch is late. */
const failuresMax = 3;

/** What the lanes of an evaluator share. */
export interface Common {
  thread: URL;
  shares: Shares;
  resting: RestingExpressions;
}

/**
 * Evaluates at once what takes next to no time. Projects that used up their share, or their slice of a batch, are
 * `late`, and so is a project whose expression may have ended the process: nobody here waits until that is proven.
 */
export class PromptLane {
  readonly #common: Common;
  readonly #turns: FairTurns;
  #process: EvaluatorProcess | undefined;

  constructor(common: Common) {
    this.#common = common;
    this.#turns = new FairTurns(common.shares);
  }

  async evaluate(jobs: readonly Job[]): Promise<Answered[]> {
    const answers: Answered[] = [];
    for (let from = 0; from < jobs.length; from += jobsMax) {
      const batch = jobs.slice(from, from + jobsMax);
      answers.push(
        ...(await this.#turns.take(projectsOf(batch), () => this.#without(this.#refusal, batch, 0))),
      );
    }
    return answers;
  }

  async end(): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    await ending?.end();
  }

  /** Asked when its turn comes: others of its project may have used up the share meanwhile. */
  readonly #refusal = (job: Job): Answered | undefined => {
    const error = this.#common.resting.errorOf(job);
    if (error !== undefined) return { error };
    return this.#common.shares.isOver(projectOf(job)) ? { late: true } : undefined;
  };

  async #without(
    refusal: (job: Job) => Answered | undefined,
    jobs: readonly Job[],
    failures: number,
  ): Promise<Answered[]> {
    const refused = jobs.map(refusal);
    const asked = jobs.filter((_, at) => !refused[at]);
    const answers = (asked.length > 0 ? await this.#ask(asked, failures) : []).values();
    return refused.map(one => one ?? answers.next().value ?? { late: true });
  }

  async #ask(jobs: readonly Job[], failures: number): Promise<Answered[]> {
    const content = question({ jobs, sliceMs });
    if (content.length > bytesMax && jobs.length > 1) {
      const half = Math.ceil(jobs.length / 2);
      const first = await this.#ask(jobs.slice(0, half), failures);
      return [...first, ...(await this.#ask(jobs.slice(half), failures))];
    }
    const beganMs = performance.now();
    const asked = await askUntilSuspect((some, how) => this.#running().ask(some, how), content);
    const tookMs = performance.now() - beganMs;
    if ('answer' in asked) {
      for (const [project, ms] of asked.answer.usedMs) this.#common.shares.charge(project, ms);
      for (const expression of asked.answer.spent) this.#common.resting.add(expression, tooMuch);
      return asked.answer.results;
    }
    const suspect = jobs[suspectIn(asked) ?? -1];
    if (!suspect || failures + 1 >= failuresMax) return jobs.map(() => ({ late: true }));
    // At least its share, so that the next process does not meet it at once.
    this.#common.shares.charge(projectOf(suspect), Math.max(tookMs, 2 * shareMs));
    const isLate = (job: Job) => job === suspect || (job.of !== undefined && job.of === suspect.of);
    return this.#without(job => (isLate(job) ? { late: true } : undefined), jobs, failures + 1);
  }

  #running(): EvaluatorProcess {
    if (!this.#process?.isUsable) this.#process = new EvaluatorProcess(this.#common.thread);
    return this.#process;
  }
}

export const projectOf = ({ of = '' }: Job) => of;

export const projectsOf = (jobs: readonly Job[]) => [...new Set(jobs.map(projectOf))];
