import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { giveMemoryFirst } from '#server/infra/pace/giveMemoryFirst.ts';
import { answersFd, type Frame, type Kind, kinds, marksFd, readFrames, writeFrame } from './pipeFrames.ts';
import type { Batch, ThreadData } from './serveJobs.ts';

// A process of its own, because a single native allocation above the limits of a thread ends the whole process. It has
// no secrets, no files and no connections, and ends with the process that started it.

const memoryMb = 128;
const tickMs = 20;
/**
 * After this many ticks, an expression is stopped if it had the processor for most of that time. Several times what the
 * budget of an evaluation allows on a slow machine: this is for a budget that does not hold.
 */
const ticksMax = 25;
const busyMaxMs = 350;
/** After this many ticks, an expression is stopped even if it hardly got the processor. */
const ticksEver = 200;

giveMemoryFirst();
const progress = new Int32Array(new SharedArrayBuffer(8));
const worker = new Worker(pathToFileURL(process.argv[2] ?? ''), {
  workerData: { progress: progress.buffer, isLate: process.argv[3] === 'late' } satisfies ThreadData,
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: memoryMb },
});
const answers = new Socket({ fd: answersFd, readable: false, writable: true });
let watching: NodeJS.Timeout | undefined;
/** The number of evaluations before the current batch. */
let before = 0;

worker.on('message', (content: Uint8Array<ArrayBuffer>) => answer('results', content));
worker.on('error', () => {
  // Without an evaluation, it is not an expression that is at fault.
  if (hasBegun()) answer('tooLarge', current());
  else process.exit(1);
});
readFrames(process.stdin, evaluate);
process.stdin.on('end', () => process.exit());

function evaluate({ mark, content }: Frame): void {
  watch();
  const batch: Batch = { content, marksFd: mark === 1 ? marksFd : undefined };
  worker.postMessage(batch, [content.buffer]);
}

function answer(kind: Kind, content: Uint8Array<ArrayBuffer>): void {
  clearInterval(watching);
  writeFrame(answers, { mark: kinds.indexOf(kind), content });
}

/** Ticks count only after the first evaluation has begun: starting the thread and copying the jobs do not count. */
function watch(): void {
  before = Atomics.load(progress, 1);
  let [last, ticks] = [before, 0];
  let busy = async () => 0;
  clearInterval(watching);
  const timer = setInterval(async () => {
    const count = Atomics.load(progress, 1);
    if (!hasBegun()) return;
    if (count !== last) [last, ticks, busy] = [count, 0, busyTime()];
    else if (++ticks >= ticksEver || (ticks >= ticksMax && (await busy()) > busyMaxMs)) {
      // The job may have ended while the processor time was read.
      if (watching === timer && Atomics.load(progress, 1) === count) answer('tooSlow', current());
    }
  }, tickMs);
  watching = timer;
}

const hasBegun = () => Atomics.load(progress, 1) !== before;

/** The index of the job that is evaluated. */
function current(): Uint8Array<ArrayBuffer> {
  const index = new Uint8Array(4);
  new DataView(index.buffer).setUint32(0, Atomics.load(progress, 0), true);
  return index;
}

/** The CPU time of the thread since the call, because a busy machine must not count against an expression. */
function busyTime(): () => Promise<number> {
  const since = worker.cpuUsage().catch(() => undefined);
  return async () => {
    const used = await worker.cpuUsage(await since).catch(() => undefined);
    return used ? (used.user + used.system) / 1000 : 0;
  };
}
