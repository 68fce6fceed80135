import { Worker } from 'node:worker_threads';
import { giveMemoryFirst } from '#server/infra/pace/giveMemoryFirst.ts';
import type { ReplayInput, ReplayMessage } from './replayInput.ts';

// A process of its own, because a native allocation above the limits of a thread ends the whole process. Its main thread
// stops what hangs.

const memoryMb = 256;
const tickMs = 50;
const hangTicks = 20;

giveMemoryFirst();
process.once('message', (input: ReplayInput) => watch(input));
process.once('disconnect', () => process.exit());

function watch(input: ReplayInput): void {
  const shared = new SharedArrayBuffer(8);
  const progress = new Int32Array(shared);
  const worker = new Worker(new URL('./replayThread.ts', import.meta.url), {
    workerData: { input, shared },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const send = (message: ReplayMessage) => process.send?.(message);
  let [last, ticks] = [0, 0];
  setInterval(() => {
    const [isBusy, count] = [Atomics.load(progress, 0) === 1, Atomics.load(progress, 1)];
    ticks = isBusy && count === last ? ticks + 1 : 0;
    last = count;
    if (ticks === hangTicks)
      send({ failure: 'The condition takes too long to be evaluated for one of the events.' });
  }, tickMs);
  worker.on('message', send);
  worker.on('error', () => process.exit(1));
}
