import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { advanceRollout } from './advanceRollout.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    advanceRollouts: Record<string, never>;
  }
}

type Parts = Pick<Platform, 'db' | 'bus' | 'clock' | 'log'>;

/** How often a job advances one rollout in a row; the job of the next minute continues. */
const looksMax = 50;
/** Number of rollouts advanced in a minute; the next minute continues with the following ones. */
const rolloutsMax = 1_000;
/** How long after a stop the job still looks for devices that have to go back. */
const stoppedForMs = hourMs;

/** The job that advances a rollout right after an action on it. */
export function advanceRolloutJob(platform: Parts): Task<'advanceRollout'> {
  return (key, { signal }) => advanceFully(platform, key, signal);
}

/** The job that advances all rollouts each minute. A rollout that fails to advance does not delay the others. */
export function advanceRolloutsJob(platform: Parts, max = rolloutsMax): Task<'advanceRollouts'> {
  let after = '';
  return async (_, { signal }) => {
    const { db, clock, log } = platform;
    const stoppedSince = new Date(clock().getTime() - stoppedForMs);
    const rollouts = await db.many<{ projectId: string; rolloutId: string }>(sql`
      select r.project_id as "projectId", r.id as "rolloutId"
      from rollouts r join projects p on p.id = r.project_id and p.deleted_at is null
      where r.id > ${after}
        and (r.state in ('running', 'paused') or r.state = 'stopped' and r.finished_at > ${stoppedSince})
      order by r.id limit ${max}`);
    for (const key of rollouts) {
      if (signal?.aborted) return;
      await advanceFully(platform, key, signal).catch(error =>
        log('warn', 'A rollout could not be advanced', { ...key, error: String(error) }),
      );
    }
    after = (rollouts.length === max && rollouts.at(-1)?.rolloutId) || '';
  };
}

async function advanceFully(
  platform: Parts,
  key: { projectId: string; rolloutId: string },
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let looks = 0; looks < looksMax && !signal?.aborted; looks++)
    if (!(await advanceRollout(platform, key))) return;
}
