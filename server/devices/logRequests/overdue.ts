import { dayMs, hourMs } from '#rules/time/durations.ts';
import { retentionDays } from '#rules/time/retention.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { publishEntry, publishRequest, recordOutcome } from './outcome.ts';
import { failOverdue } from './store.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    failLogRequests: Record<string, never>;
  }
}

const uploadMaxMs = hourMs;

/** The job that fails requests that the device never answered, or whose upload it did not finish. */
export function failLogRequestsJob(platform: Platform): Task<'failLogRequests'> {
  return async () => {
    while ((await failSome(platform)) === batch);
  };
}

async function failSome(platform: Platform): Promise<number> {
  const now = platform.clock();
  const uploadingBefore = new Date(now.getTime() - uploadMaxMs);
  const failed = await platform.db.tx(async db => {
    const rows = await failOverdue(db, { now, uploadingBefore, limit: batch });
    const noted = [];
    for (const row of rows) noted.push({ row, entry: await recordOutcome(db, platform, row, now) });
    return noted;
  });
  for (const { row, entry } of failed) {
    publishRequest(platform, row);
    publishEntry(platform, row, entry);
  }
  return failed.length;
}

/** Files are deleted with their rows. */
export const logRequestChores: readonly Chore[] = [
  {
    name: 'log requests',
    deletes: now => sql`
      delete from log_requests where (project_id, device_id, id) in (
        select project_id, device_id, id from log_requests
        where finished_at < ${new Date(now.getTime() - retentionDays.logRequests * dayMs)} limit ${batch}) returning 1`,
  },
];
