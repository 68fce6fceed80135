import { Worker } from 'node:worker_threads';
import { type Answer, type Evaluated, expressionOf, type Job, tooMuch, tooMuchInAll } from './given.ts';

const memoryMb = 64;
const tickMs = 20;
/** After this many ticks, an expression is stopped if it had the processor for most of that time. */
const ticksMax = 5;
const busyMaxMs = 60;
/** After this many ticks, an expression is stopped even if it hardly got the processor. */
const ticksEver = 100;
const batchMax = 1000;
/** A stopped expression is not evaluated again for this long; otherwise it would keep slowing down the others. */
const restMs = 30_000;
/** After this many stopped expressions of a project, the rest of its batch is not evaluated. */
const endedMax = 3;

export const tooSlow = 'It was stopped: it took longer than 100 ms.';
const tooLarge = 'It was stopped: it used more than 64 MB of memory.';

interface Thread {
  worker: Worker;
  progress: Int32Array;
}

/**
 * Evaluates expressions in a separate thread, one batch after another. If an expression hangs, only that expression
 * fails: the thread is replaced, and the others of its batch are evaluated again. Likewise, an expression that is slow
 * for many events fails alone, and so does a project whose expressions are slow in total.
 */
export class Evaluator {
  #thread: Thread | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** By expression: until when it is not evaluated, and why. */
  readonly #resting = new Map<string, { untilMs: number; error: string }>();

  /** Evaluates jobs in batches, so that other callers get their turn in between. */
  async evaluate(jobs: readonly Job[]): Promise<Evaluated[]> {
    const results: Evaluated[] = [];
    for (let at = 0; at < jobs.length; at += batchMax) {
      const done = this.#queue.then(() => this.#batch(jobs.slice(at, at + batchMax)));
      this.#queue = done.catch(() => undefined);
      results.push(...(await done));
    }
    return results;
  }

  async #batch(jobs: readonly Job[]): Promise<Evaluated[]> {
    const endedOf = new Map<string, number>();
    const isSpent = ({ of = '' }: Job) => of !== '' && (endedOf.get(of) ?? 0) >= endedMax;
    for (;;) {
      const nowMs = performance.now();
      for (const [expression, { untilMs }] of this.#resting)
        if (untilMs <= nowMs) this.#resting.delete(expression);
      const asked = jobs.filter(job => !this.#resting.has(expressionOf(job)) && !isSpent(job));
      const answer = asked.length === 0 ? { results: [], spent: [] } : await this.#ask(asked);
      if ('ended' in answer) {
        const { of = '' } = answer.ended ?? {};
        endedOf.set(of, (endedOf.get(of) ?? 0) + 1);
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

  /** `ended`: the job whose expression had to be stopped, and is not evaluated for a while. */
  async #ask(jobs: readonly Job[]): Promise<Answer | { ended: Job | undefined }> {
    this.#thread ??= start();
    const { worker, progress } = this.#thread;
    const { promise, resolve } = Promise.withResolvers<Answer | string>();
    let [last, ticks] = [-1, 0];
    // Ticks count only after the first evaluation has begun: starting the thread and copying the jobs do not count.
    const before = Atomics.load(progress, 1);
    let busy = async () => 0;
    const timer = setInterval(async () => {
      const count = Atomics.load(progress, 1);
      if (count === before) return;
      if (count !== last) [last, ticks, busy] = [count, 0, busyTime(worker)];
      else if (++ticks >= ticksEver || (ticks >= ticksMax && (await busy()) > busyMaxMs)) resolve(tooSlow);
    }, tickMs);
    const onError = (error: Error & { code?: string }) =>
      resolve(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge : error.message);
    worker.on('message', resolve).on('error', onError);
    worker.postMessage(jobs);
    const answer = await promise;
    clearInterval(timer);
    worker.off('message', resolve).off('error', onError);
    if (typeof answer !== 'string') return answer;
    const at = Atomics.load(progress, 1) === before ? 0 : Atomics.load(progress, 0);
    const hanging = jobs[at];
    if (hanging) this.#rest(expressionOf(hanging), answer);
    await this.#end();
    return { ended: hanging };
  }

  #rest(expression: string, error: string): void {
    this.#resting.set(expression, { untilMs: performance.now() + restMs, error });
  }

  async #end(): Promise<void> {
    const worker = this.#thread?.worker;
    this.#thread = undefined;
    worker?.on('error', () => undefined);
    await worker?.terminate();
  }
}

/** The CPU time of a thread since the call, because a busy machine must not count against an expression. */
function busyTime(worker: Worker): () => Promise<number> {
  const since = worker.cpuUsage().catch(() => undefined);
  return async () => {
    const used = await worker.cpuUsage(await since).catch(() => undefined);
    return used ? (used.user + used.system) / 1000 : 0;
  };
}

function start(): Thread {
  const shared = new SharedArrayBuffer(8);
  const worker = new Worker(new URL('./evaluationThread.ts', import.meta.url), {
    workerData: shared,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  // The thread need not keep the process alive: callers that wait for an answer do.
  worker.unref();
  return { worker, progress: new Int32Array(shared) };
}

/** The evaluator of this process. */
export const evaluator = new Evaluator();
