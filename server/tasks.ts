import { maintainPartitions } from '#server/infra/db/maintainPartitions.ts';
import type { Log } from '#server/infra/log.ts';
import type { Platform } from '#server/infra/platform.ts';
import { retentionTime } from './api/retention/retentionClock.ts';
import { partitionsOf, type Slice } from './api/slice.ts';
import { housekeepingHourly, keepHouse } from './infra/jobs/housekeeping.ts';
import { migrateJobs, startJobs, type Tasks } from './infra/jobs/jobs.ts';

/** Runs the jobs of all slices; a process without the role `worker` only adds jobs. */
export async function startTasks(
  platform: Platform,
  slices: readonly Slice[],
): Promise<{ stop(): Promise<void> }> {
  const { config, db, log, clock } = platform;
  if (!config.roles.includes('worker')) {
    await migrateJobs({ pool: db.pool, log });
    return { stop: async () => undefined };
  }
  const projectTables = slices.flatMap(({ tables = {} }) => Object.keys(tables));
  const wipesReleased = slices.flatMap(slice => slice.wipesReleased ?? []);
  const works = slices.flatMap(({ jobs }) => jobs?.(platform, { projectTables, wipesReleased }) ?? []);
  const tasks: Tasks = Object.assign({}, ...works.map(work => work.tasks), {
    keepHouse: async (payload, attempt) => {
      // Whatever expires is judged by a time that is trusted.
      const trusted = await retentionTime(platform);
      const keeping = { ...platform, clock: () => trusted };
      const chores = slices.flatMap(slice => slice.chores ?? []);
      await inTurn(
        [
          () => maintainPartitions(db, partitionsOf(slices), clock(), trusted),
          ...slices.map(slice => async () => slice.hourly?.(keeping)),
          () => keepHouse({ ...keeping, chores })(payload, attempt),
        ],
        { log, signal: attempt.signal },
      );
    },
  } satisfies Tasks);
  const cron = [housekeepingHourly, ...slices.flatMap(({ schedule = [] }) => schedule)];
  const jobs = await startJobs({ pool: db.pool, log, tasks, cron });
  return {
    async stop() {
      await Promise.all(works.map(work => work.stop?.()));
      await jobs.stop();
    },
  };
}

/**
 * Runs the steps in turn. If one fails, the others still run, and the job is retried. When the server stops, the
 * remaining steps wait for the next hour.
 */
async function inTurn(
  steps: readonly (() => Promise<void>)[],
  { log, signal }: { log: Log; signal: AbortSignal | undefined },
): Promise<void> {
  let failed = 0;
  for (const step of steps) {
    if (signal?.aborted) break;
    await step().catch(error => {
      failed += 1;
      log('error', 'A part of housekeeping failed', { error: String(error) });
    });
  }
  if (failed > 0) throw new Error('Housekeeping is not finished.');
}
