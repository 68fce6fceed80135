import { setTimeout as wait } from 'node:timers/promises';
import type { Job, Runner, RunnerOptions, TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import { minuteMs } from '#rules/time/durations.ts';
import type { Log } from '#server/infra/log.ts';
import { freeAbandoned, holdLock } from './abandoned.ts';
import type { Jobs } from './enqueue.ts';
import { quietLogger } from './quietLogger.ts';

/** Runs a job. If it throws, the job is retried with increasing delays. */
export type Task<Name extends keyof Jobs> = (payload: Jobs[Name], attempt: Attempt) => Promise<void>;
/** A job that is enqueued by schedule (UTC), for example `{ task: 'keepHouse', at: '17 * * * *' }`. */
export interface Schedule {
  task: keyof Jobs;
  at: string;
}
export type Tasks = { [Name in keyof Jobs]?: Task<Name> };

export interface Attempt {
  /** True on the last attempt: if it fails, the job is not retried. */
  isLast: boolean;
  /** Aborted when the server stops; a long task should check it. */
  signal: AbortSignal | undefined;
}

export interface StartJobs {
  pool: Pool;
  log: Log;
  tasks: Tasks;
  cron?: readonly Schedule[];
  /** How often due jobs are looked for; new jobs are announced at once. */
  pollMs?: number;
}

const concurrentJobs = 4;
const restartDelayMs = 1000;
const checkAbandonedMs = minuteMs;
/** After a restart of the database, all workers look dead for a moment. */
const abandonedGraceMs = minuteMs;

/** Migrates the job tables. For a process that enqueues jobs but does not run them. */
export async function migrateJobs({ pool, log }: Pick<StartJobs, 'pool' | 'log'>): Promise<void> {
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ pgPool: pool, logger: await quietLogger(log) });
}

/** Runs jobs until stopped, also after the database was unavailable for a while. */
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
 * Resolves if the first lookup of jobs fails. The library caches a failure to look up its tasks, and would then never
 * find a job again.
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
    // main.ts handles SIGTERM, in its own order.
    noHandleSignals: true,
    taskList: asTaskList(tasks),
    // In batches, the library retries storing the outcome of a job. One by one, it would leave an unhandled rejection
    // if the database is unavailable at that moment, and that ends the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    parsedCronItems: parseCronItems(cron.map(({ task, at }) => ({ task, match: at }))),
  };
}

function asTaskList(tasks: Tasks): TaskList {
  const entries = Object.entries(tasks) as [keyof Jobs, Task<keyof Jobs>][];
  return Object.fromEntries(
    entries.map(([name, task]) => [
      name,
      // Only `enqueue` writes payloads, and it requires the type that belongs to the name.
      (payload: unknown, { job, abortSignal }: { job: Job; abortSignal?: AbortSignal }) =>
        task(payload as Jobs[keyof Jobs], {
          isLast: job.attempts >= job.max_attempts,
          signal: abortSignal,
        }),
    ]),
  );
}
