import { parentPort, workerData } from 'node:worker_threads';
import { giveWay } from '#server/pace/giveWay.ts';
import { createEvaluation } from './evaluate.ts';
import type { Job } from './given.ts';

// A thread of its own, so that an expression that takes long holds up nothing else and can be ended.
giveWay();
const evaluate = createEvaluation();
/** Which job of the batch is being evaluated: what the other thread reads when this one does not answer. */
const progress = new Int32Array(workerData as SharedArrayBuffer);

parentPort?.on('message', (jobs: readonly Job[]) => {
  const results = jobs.map((job, at) => {
    Atomics.store(progress, 0, at);
    Atomics.add(progress, 1, 1);
    return evaluate(job);
  });
  parentPort?.postMessage(results);
});
