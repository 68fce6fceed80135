import { Worker } from 'node:worker_threads';
import type { ReplayInput, ReplayResult } from './replayInput.ts';

const memoryMb = 256;
const tickMs = 50;
const hangTicks = 4;
const timeMaxMs = 120_000;

export class ReplayFailed extends Error {}

/** Resolves with the result; `tell` receives it as it grows. Can be aborted. */
export async function runReplay(
  input: ReplayInput,
  { tell, signal }: { tell: (result: ReplayResult) => void; signal: AbortSignal },
): Promise<ReplayResult> {
  const shared = new SharedArrayBuffer(8);
  const progress = new Int32Array(shared);
  const worker = new Worker(new URL('./replayThread.ts', import.meta.url), {
    workerData: { input, shared },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  worker.unref();
  const { promise, resolve, reject } = Promise.withResolvers<ReplayResult>();
  const fail = (why: string) => reject(new ReplayFailed(why));
  let [last, ticks] = [0, 0];
  const timer = setInterval(() => {
    const [isBusy, count] = [Atomics.load(progress, 0) === 1, Atomics.load(progress, 1)];
    ticks = isBusy && count === last ? ticks + 1 : 0;
    last = count;
    if (ticks >= hangTicks) fail('The condition takes too long to be evaluated for one of the events.');
  }, tickMs);
  const tooLong = setTimeout(() => fail(`It was stopped after ${timeMaxMs / 1000} s.`), timeMaxMs);
  worker.on('message', ({ result, isDone }: { result: ReplayResult; isDone?: true }) => {
    if (isDone) resolve(result);
    else tell(result);
  });
  worker.on('error', () => fail('It could not be finished.'));
  worker.on('exit', () => fail('It could not be finished.'));
  signal.addEventListener('abort', () => fail('The server was stopped.'));
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    clearTimeout(tooLong);
    await worker.terminate();
  }
}
