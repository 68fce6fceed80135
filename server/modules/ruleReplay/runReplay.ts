import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { minuteMs } from '#rules/time/durations.ts';
import type { ReplayInput, ReplayMessage, ReplayResult } from './replayInput.ts';

const heapMb = 64;
const timeMaxMs = 2 * minuteMs;

export class ReplayFailed extends Error {}

interface Replaying {
  /** Receives the result as it grows. */
  report: (result: ReplayResult) => void;
  signal: AbortSignal;
  program?: URL;
}

/** Replays in a process of its own, and resolves with the result. Can be aborted. */
export async function runReplay(
  input: ReplayInput,
  { report, signal, program = new URL('./replayProcess.ts', import.meta.url) }: Replaying,
): Promise<ReplayResult> {
  const child = fork(fileURLToPath(program), {
    execArgv: [`--max-old-space-size=${heapMb}`, '--no-warnings'],
    // Of the environment only what a connection to the database may need: the rest contains secrets.
    env: { ...databaseEnv(), TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  // The replay need not keep this process alive: another one can be started later.
  child.unref();
  child.channel?.unref();
  const { promise, resolve, reject } = Promise.withResolvers<ReplayResult>();
  const fail = (why: string) => reject(new ReplayFailed(why));
  child.on('message', (message: ReplayMessage) => {
    if ('failure' in message) fail(message.failure);
    else if (message.isDone) resolve(message.result);
    else report(message.result);
  });
  child.on('error', () => fail('It could not be finished.'));
  const ended = once(child, 'exit').catch(() => undefined);
  void ended.then(() => fail('It could not be finished: it needs more memory than a replay may use.'));
  const tooLong = setTimeout(() => fail(`It was stopped after ${timeMaxMs / 1000} s.`), timeMaxMs);
  const onAbort = () => fail('The server was stopped.');
  signal.addEventListener('abort', onAbort);
  child.send(input, () => undefined);
  try {
    return await promise;
  } finally {
    clearTimeout(tooLong);
    signal.removeEventListener('abort', onAbort);
    child.kill('SIGKILL');
    await ended;
  }
}

const databaseEnv = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name.startsWith('PG') || name === 'NODE_EXTRA_CA_CERTS'),
  );
