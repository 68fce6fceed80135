import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '#server/infra/db/sql.ts';
import { createEvaluation } from '#server/modules/expressions/evaluate.ts';
import { replay } from './goThroughPast.ts';
import type { ReplayInput } from './replayInput.ts';

// Has its own connection, so that a million events delay neither the calls of the platform nor live rules.
const { input, shared } = workerData as { input: ReplayInput; shared: SharedArrayBuffer };
const progress = new Int32Array(shared);
const evaluation = createEvaluation();
const db = openDatabase(input.url, { max: 1 });

try {
  const result = await replay({
    ...input,
    db,
    evaluate: job => {
      Atomics.add(progress, 1, 1);
      Atomics.store(progress, 0, 1);
      const evaluated = evaluation(job);
      Atomics.store(progress, 0, 0);
      return evaluated;
    },
    report: result => parentPort?.postMessage({ result }),
  });
  parentPort?.postMessage({ result, isDone: true });
} finally {
  await db.end();
}
