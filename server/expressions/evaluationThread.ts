import { parentPort, workerData } from 'node:worker_threads';
import { giveWay } from '#server/pace/giveWay.ts';
import { createEvaluation } from './evaluate.ts';
import { type Answer, budgetMs, type Evaluated, type Job, tooMuch } from './given.ts';

// A thread of its own, so that an expression that takes long holds up nothing else and can be ended.
giveWay();
const evaluate = createEvaluation();
/** Which job of the batch is being evaluated: what the other thread reads when this one does not answer. */
const progress = new Int32Array(workerData as SharedArrayBuffer);

parentPort?.on('message', (jobs: readonly Job[]) => {
  const hasSpent = budgetOf();
  const spent = new Set<string>();
  const results = jobs.map((job, at): Evaluated => {
    if (spent.has(job.program)) return { error: tooMuch };
    Atomics.store(progress, 0, at);
    Atomics.add(progress, 1, 1);
    const beganMs = performance.now();
    const evaluated = evaluate(job);
    if (hasSpent(job.program, performance.now() - beganMs)) spent.add(job.program);
    return evaluated;
  });
  parentPort?.postMessage({ results, spent: [...spent] } satisfies Answer);
});

/**
 * Tells of each expression of a batch when it has used up its time. Its share of the processor counts: while others have it,
 * the clock goes on.
 */
function budgetOf(): (program: string, ms: number) => boolean {
  const usage = process.threadCpuUsage();
  const begunMs = performance.now();
  const msOf = new Map<string, number>();
  return (program, ms) => {
    const sum = (msOf.get(program) ?? 0) + ms;
    msOf.set(program, sum);
    if (sum <= budgetMs) return false;
    const { user, system } = process.threadCpuUsage(usage);
    const share = sum / (performance.now() - begunMs);
    return (share * (user + system)) / 1000 > budgetMs;
  };
}
