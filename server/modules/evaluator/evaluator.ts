import type { Evaluated, Job } from '#server/modules/expressions/given.ts';
import { LateLane, type Stopped } from './lateLane.ts';
import { PromptLane } from './promptLane.ts';
import { RestingExpressions } from './restingExpressions.ts';
import { Shares } from './shares.ts';

/**
 * Evaluates expressions of all projects in lanes, each with a process of its own, so that nobody waits for a project
 * whose expressions take long: two lanes for what takes next to no time, and one for the rest.
 */
export class Evaluator {
  /** The conditions of events: these must not queue behind the many small batches of runs. */
  readonly conditions: PromptLane;
  readonly #runs: PromptLane;
  readonly late: LateLane;

  constructor(thread = new URL('./evaluationThread.ts', import.meta.url)) {
    const common = { thread, shares: new Shares(), resting: new RestingExpressions() };
    this.conditions = new PromptLane(common);
    this.#runs = new PromptLane(common);
    this.late = new LateLane(common);
  }

  /** Evaluates what runs, tests and explanations need, however long it takes. */
  async evaluate(jobs: readonly Job[], stopped?: Stopped): Promise<Evaluated[]> {
    const answers = await this.#runs.evaluate(jobs);
    const late = jobs.filter((_, at) => isLate(answers[at]));
    const results = late.length > 0 ? (await this.late.evaluate(late, stopped)).values() : [].values();
    return answers.map(answer =>
      'late' in answer ? (results.next().value ?? { error: 'It was not evaluated.' }) : answer,
    );
  }

  /** Ends the processes; they are started again when they are needed. */
  async end(): Promise<void> {
    await Promise.all([this.conditions.end(), this.#runs.end(), this.late.end()]);
  }
}

const isLate = (answer: object | undefined) => answer !== undefined && 'late' in answer;

export const evaluator = new Evaluator();
