import type { Db } from '#server/infra/db/sql.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { allowanceS } from './rhythm.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    findQuietDevices: Record<string, never>;
  }
}

/**
 * The job that finds devices that are silent for longer than their rhythm allows. Each device is looked at only when its
 * time has come, so the cost does not depend on how many messages there are. While the platform was down, nobody could
 * speak: silence counts from its start.
 */
export function findQuietDevicesJob(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  startedAt = clock(),
): Task<'findQuietDevices'> {
  return async (_, { signal }) => {
    while (!signal?.aborted && (await judgeDue(db, clock(), startedAt)) === batch);
  };
}

async function judgeDue(db: Db, now: Date, startedAt: Date): Promise<number> {
  return db.run(sql`
    with due as (
      select project_id, device_id from device_presence where quiet_check_at <= ${now}
      order by quiet_check_at limit ${batch}),
    locked as (
      select s.project_id, s.device_id, s.last_message_at, s.suspended, s.longest_gap_s,
        greatest(s.last_message_at, case when s.seen_at = 'infinity' then s.since end, ${startedAt}) as heard_at
      from device_presence s join due d on d.project_id = s.project_id and d.device_id = s.device_id
      where s.quiet_check_at <= ${now} order by s.device_id for update of s skip locked),
    judged as (
      select l.*, case when suspended then ${now}::timestamptz else heard_at end
        + ${allowanceS(sql`l.longest_gap_s`)} * interval '1 second' as until
      from locked l)
    update device_presence s set quiet_check_at = case when j.until > ${now} then j.until end,
      quiet_since = case when j.until <= ${now} then j.last_message_at end,
      quiet_found_at = case when j.until <= ${now} then ${now}::timestamptz end
    from judged j where s.project_id = j.project_id and s.device_id = j.device_id`);
}
