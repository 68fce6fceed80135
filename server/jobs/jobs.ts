import { setTimeout as wait } from 'node:timers/promises';
import type { Job, Runner, RunnerOptions, TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Log } from '#server/log.ts';
import { freeAbandoned, holdLock } from './abandoned.ts';
import type { Jobs } from './enqueue.ts';
import { quietLogger } from './quietLogger.ts';

/** How a job is done. One that throws is tried again later, each time waiting longer. */
export type Task<Name extends keyof Jobs> = (payload: Jobs[Name], attempt: Attempt) => Promise<void>;
/** A job that the clock (UTC) adds, for instance `{ task: 'keepHouse', at: '17 * * * *' }`. */
export interface Schedule {
  task: keyof Jobs;
  at: string;
}
export type Tasks = { [Name in keyof Jobs]?: Task<Name> };

export interface Attempt {
  /** True: when this one fails, the job is not tried again. */
  isLast: boolean;
  /** Set when the server stops; a task that runs long should heed it. */
  signal: AbortSignal | undefined;
}

export interface StartJobs {
  pool: Pool;
  log: Log;
  tasks: Tasks;
  cron?: readonly Schedule[];
  /** How soon a job whose time has come is found; a new one is announced at once. */
  pollMs?: number;
}

const concurrentJobs = 4;
const restartDelayMs = 1000;
const checkAbandonedMs = 60_000;
/** After a restart of the database every worker looks dead for a moment. */
const abandonedGraceMs = 60_000;

/** Brings the job tables up to date. For a process that adds jobs but leaves them to others. */
export async function migrateJobs({ pool, log }: Pick<StartJobs, 'pool' | 'log'>): Promise<void> {
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ pgPool: pool, logger: await quietLogger(log) });
}

/** Starts doing jobs, and goes on doing them until stopped, also after the database was away. */
export async function startJobs(options: StartJobs): Promise<{ stop(): Promise<void> }> {
  const { pool, log } = options;
  await migrateJobs(options);
  await freeAbandoned(pool, 0);
  const runOptions = await runnerOptions(options);
  const { run } = await import('graphile-worker');
  const begin = async () => {
    const blind = isBlind(runOptions.events);
    const begun = await run(runOptions);
    void blind.then(() => begun.stop()).catch(() => undefined);
    return begun;
  };
  const stopping = new AbortController();
  let runner: Runner = await begin();
  const kept = (async () => {
    while (!stopping.signal.aborted) {
      await runner.promise.catch(error => log('warn', 'Jobs stopped; restarting', { error: String(error) }));
      runner = (await startAgain(begin, stopping.signal)) ?? runner;
    }
  })();
  const check = setInterval(() => {
    freeAbandoned(pool, abandonedGraceMs).catch(error =>
      log('warn', 'Abandoned jobs could not be checked', { error: String(error) }),
    );
  }, checkAbandonedMs);
  return {
    async stop() {
      stopping.abort();
      clearInterval(check);
      await runner.stop().catch(error => log('info', 'Jobs had already stopped', { error: String(error) }));
      await kept;
    },
  };
}

/**
 * Resolves when the first look for a job fails. The library keeps a failure to look up its tasks then, and would never find
 * a job again.
 */
function isBlind(events: RunnerOptions['events']): Promise<void> {
  return new Promise(resolve => {
    let hasLooked = false;
    for (const found of ['worker:getJob:empty', 'job:start'] as const)
      events?.once(found, () => {
        hasLooked = true;
      });
    events?.once('worker:getJob:error', () => {
      if (!hasLooked) resolve();
    });
  });
}

async function startAgain(run: () => Promise<Runner>, stop: AbortSignal): Promise<Runner | undefined> {
  while (!stop.aborted) {
    await wait(restartDelayMs, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return undefined;
    const runner = await run().catch(() => undefined);
    if (runner) return runner;
  }
  return undefined;
}

async function runnerOptions({
  pool,
  log,
  tasks,
  cron = [],
  pollMs = 2000,
}: StartJobs): Promise<RunnerOptions> {
  const { parseCronItems } = await import('graphile-worker');
  const { EventEmitter } = await import('node:events');
  const events: NonNullable<RunnerOptions['events']> = new EventEmitter();
  events.on('pool:listen:success', ({ workerPool, client }) => holdLock(client, workerPool.id, log));
  return {
    pgPool: pool,
    logger: await quietLogger(log),
    events,
    concurrency: concurrentJobs,
    pollInterval: pollMs,
    // SIGTERM is for main.ts to answer, in its own order.
    noHandleSignals: true,
    taskList: asTaskList(tasks),
    // In batches, what comes of a job is noted with retries; one by one, a database that is away at that moment would leave
    // a rejection that nobody handles, which ends the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    parsedCronItems: parseCronItems(cron.map(({ task, at }) => ({ task, match: at }))),
  };
}

function asTaskList(tasks: Tasks): TaskList {
  const entries = Object.entries(tasks) as [keyof Jobs, Task<keyof Jobs>][];
  return Object.fromEntries(
    entries.map(([name, task]) => [
      name,
      // Payloads are written by `enqueue` alone, which takes only what the name calls for.
      (payload: unknown, { job, abortSignal }: { job: Job; abortSignal?: AbortSignal }) =>
        task(payload as Jobs[keyof Jobs], {
          isLast: job.attempts >= job.max_attempts,
          signal: abortSignal,
        }),
    ]),
  );
}
