import { writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '#server/infra/pace/lowerPriority.ts';
import {
  type Answer,
  budgetMs,
  type Evaluated,
  expressionOf,
  heavyMs,
  type Job,
  projectBudgetMs,
  tooMuch,
  tooMuchInAll,
} from '#server/modules/expressions/given.ts';

/** What the thread receives from the process it runs in. */
export interface Batch {
  /** The serialized jobs. */
  content: Uint8Array<ArrayBuffer>;
  /** Where the index of each job is written before it begins, so that it is known should the process die. */
  marksFd: number | undefined;
}

/** Serves batches of jobs in a thread of its own, so that a slow expression can be stopped. */
export function serveJobs(evaluate: (job: Job) => Evaluated): void {
  lowerPriority();
  /** The index of the current job and a counter, which the main thread reads if this one does not answer. */
  const progress = new Int32Array(workerData as SharedArrayBuffer);
  const mark = Buffer.alloc(4);
  parentPort?.on('message', ({ content, marksFd }: Batch) => {
    const jobs = deserialize(content) as readonly Job[];
    const budget = new Budget();
    const results = jobs.map((job, at): Evaluated => {
      const error = budget.refusalOf(job);
      if (error !== undefined) return { error };
      Atomics.store(progress, 0, at);
      Atomics.add(progress, 1, 1);
      if (marksFd !== undefined) {
        mark.writeUInt32LE(at);
        writeSync(marksFd, mark);
      }
      const beganMs = performance.now();
      const evaluated = evaluate(job);
      budget.took(job, performance.now() - beganMs);
      return evaluated;
    });
    const answer: Answer = { results, spent: [...budget.spent], usedMs: budget.usedMs };
    parentPort?.postMessage(serialize(answer));
  });
}

/**
 * The time that each expression of a batch, and each project, may use. Measured times are scaled by this thread's share
 * of the processor, because the clock also runs while others have it.
 */
class Budget {
  readonly spent = new Set<string>();
  readonly #usage = process.threadCpuUsage();
  readonly #begunMs = performance.now();
  readonly #msOf = new Map<string, number>();
  readonly #projects = new Map<string, { ms: number; expressions: Set<string>; isSpent: boolean }>();

  get usedMs(): [string, number][] {
    return [...this.#projects].map(([project, { ms }]) => [project, ms]);
  }

  refusalOf(job: Job): string | undefined {
    if (this.#projects.get(job.of ?? '')?.isSpent) return tooMuchInAll;
    return this.spent.has(expressionOf(job)) ? tooMuch : undefined;
  }

  took(job: Job, ms: number): void {
    const expression = expressionOf(job);
    const sum = (this.#msOf.get(expression) ?? 0) + ms;
    this.#msOf.set(expression, sum);
    if (this.#isOver(sum, budgetMs)) this.spent.add(expression);
    if (job.of !== undefined) this.#tookOf(job.of, expression, ms);
  }

  #tookOf(of: string, expression: string, ms: number): void {
    const project = this.#projects.get(of) ?? { ms: 0, expressions: new Set(), isSpent: false };
    this.#projects.set(of, project);
    project.ms += ms;
    project.expressions.add(expression);
    if (!this.#isOver(project.ms, projectBudgetMs)) return;
    project.isSpent = true;
    for (const one of project.expressions) if ((this.#msOf.get(one) ?? 0) > heavyMs) this.spent.add(one);
  }

  #isOver(ms: number, mostMs: number): boolean {
    if (ms <= mostMs) return false;
    const { user, system } = process.threadCpuUsage(this.#usage);
    const share = ms / (performance.now() - this.#begunMs);
    return (share * (user + system)) / 1000 > mostMs;
  }
}
