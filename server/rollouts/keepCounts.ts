import type { RolloutCounts } from '#contract/rollout.ts';
import { sql } from '#server/db/sql.ts';
import { daysBefore } from '#server/jobs/housekeeping.ts';
import type { Platform } from '#server/platform.ts';
import { saveFinalCounts } from '#server/rolloutOutcomes/rolloutRows.ts';
import { liveCounts } from './counts.ts';

/** After so many days, the devices that never came back no longer keep the counts from being kept. */
const waitedForDays = 30;
const rolloutsMax = 500;

/** Keeps the counts of rollouts that have ended and in which no device is left to finish, so that lists stay fast. */
export async function keepCounts({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const waitedSince = daysBefore(clock(), waitedForDays);
  const ended = await db.many<{ projectId: string; id: string; isOld: boolean }>(sql`
    select r.project_id as "projectId", r.id, r.finished_at < ${waitedSince} as "isOld"
    from rollouts r join projects p on p.id = r.project_id and p.deleted_at is null
    where r.final_counts is null and r.finished_at is not null
    order by r.finished_at limit ${rolloutsMax}`);
  for (const { projectId, id, isOld } of ended)
    await db.tx(async tx => {
      const row = await tx.one<{ counts: RolloutCounts }>(sql`
        select ${liveCounts} from rollouts r
        where r.project_id = ${projectId} and r.id = ${id} and r.final_counts is null for no key update`);
      if (row && (isOld || row.counts.active + row.counts.waiting === 0))
        await saveFinalCounts(tx, { projectId, id }, row.counts);
    });
}
