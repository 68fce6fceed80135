import { writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '#server/infra/pace/lowerPriority.ts';
import {
  type Answer,
  type Answered,
  budgetMs,
  type Evaluated,
  expressionOf,
  heavyMs,
  type Job,
  projectBudgetMs,
  type Question,
  tooMuch,
  tooMuchInAll,
} from '#server/modules/expressions/given.ts';

/** What the thread receives from the process it runs in. */
export interface Batch {
  /** The serialized `Question`. */
  content: Uint8Array<ArrayBuffer>;
  /** Where the index of each job is written before it begins, so that it is known should the process die. */
  marksFd: number | undefined;
}

export interface ThreadData {
  /** The index of the current job and a counter, which the main thread reads if this one does not answer. */
  progress: SharedArrayBuffer;
  /** It evaluates what takes long, for which those who do not must not wait. */
  isLate: boolean;
}

/** Serves batches of jobs in a thread of its own, so that a slow expression can be stopped. */
export function serveJobs(evaluate: (job: Job) => Evaluated): void {
  const { progress: shared, isLate } = workerData as ThreadData;
  // What is prompt takes no project more than its share, and people wait for it.
  if (isLate) lowerPriority();
  const progress = new Int32Array(shared);
  const mark = Buffer.alloc(4);
  parentPort?.on('message', ({ content, marksFd }: Batch) => {
    const { jobs, sliceMs } = deserialize(content) as Question;
    const budget = new Budget(sliceMs);
    const results = jobs.map((job, at): Answered => {
      const refusal = budget.refusalOf(job);
      if (refusal) return refusal;
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

/** What a project used of a batch. */
interface Usage {
  ms: number;
  expressions: Set<string>;
  isLate: boolean;
  isSpent: boolean;
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
  readonly #projects = new Map<string, Usage>();
  readonly #sliceMs: number;

  constructor(sliceMs = Number.POSITIVE_INFINITY) {
    this.#sliceMs = sliceMs;
  }

  get usedMs(): [string, number][] {
    // Never nothing: who was evaluated comes after who was not.
    const share = Math.max(0.01, this.#share());
    return [...this.#projects].map(([project, { ms }]) => [project, ms * share]);
  }

  refusalOf(job: Job): Answered | undefined {
    const project = this.#projects.get(job.of ?? '');
    if (project?.isLate) return { late: true };
    if (project?.isSpent) return { error: tooMuchInAll };
    return this.spent.has(expressionOf(job)) ? { error: tooMuch } : undefined;
  }

  took(job: Job, ms: number): void {
    const expression = expressionOf(job);
    const sum = (this.#msOf.get(expression) ?? 0) + ms;
    this.#msOf.set(expression, sum);
    if (this.#isOver(sum, budgetMs)) this.spent.add(expression);
    if (job.of !== undefined) this.#tookOf(job.of, expression, ms);
  }

  #tookOf(of: string, expression: string, ms: number): void {
    const project = this.#projects.get(of) ?? {
      ms: 0,
      expressions: new Set(),
      isLate: false,
      isSpent: false,
    };
    this.#projects.set(of, project);
    project.ms += ms;
    project.expressions.add(expression);
    project.isLate ||= this.#isOver(project.ms, this.#sliceMs);
    if (!this.#isOver(project.ms, projectBudgetMs)) return;
    project.isSpent = true;
    for (const one of project.expressions) if ((this.#msOf.get(one) ?? 0) > heavyMs) this.spent.add(one);
  }

  #isOver(ms: number, mostMs: number): boolean {
    return ms > mostMs && ms * this.#share() > mostMs;
  }

  #share(): number {
    const { user, system } = process.threadCpuUsage(this.#usage);
    return (user + system) / 1000 / Math.max(1, performance.now() - this.#begunMs);
  }
}
