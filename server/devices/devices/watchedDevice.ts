import type { WatchedDevice } from '#server/api/http/live.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

interface Its {
  projectId: string;
  deviceId: string;
}

/** A device whose page is open. */
export const watchedDevice = (db: Db, its: Its): WatchedDevice => ({
  id: its.deviceId,
  newestNews: period => newestNews(db, its, period),
});

/** When a device last did or was sent something that its page shows, in this period; undefined if nothing. */
async function newestNews(
  db: Db,
  { projectId, deviceId }: Its,
  { from, until }: { from: Date; until: Date },
): Promise<Date | undefined> {
  const its = sql`project_id = ${projectId} and device_id = ${deviceId}`;
  const found = await db.one<{ at: Date | null }>(sql`
    select max(at) as at from (
      select max(ts) from device_events where ${its} and ts between ${from} and ${until}
      union all select max(at) from presence_changes where ${its} and at between ${from} and ${until}
      union all select max(ts) from device_changes where ${its} and ts between ${from} and ${until}
      union all select max(ts) from quarantine where ${its} and ts between ${from} and ${until}
      union all select unnest(array[reported_at, installed_at, progress_at]) from device_states where ${its}
      union all
      select unnest(array[since, rejected_at, key_rejected_at, limited_at]) from device_presence where ${its}
      union all
      select unnest(array[created_at, sent_at, acknowledged_at]) from device_commands
      where device_id = ${deviceId} and stage in ('queued', 'sent', 'acknowledged')
      union all
      select unnest(array[created_at, sent_at, acknowledged_at]) from desired_changes
      where ${its} and reported_at is null and replaced_at is null
      union all (
        select greatest(ts, uploading_at, finished_at) from log_requests where ${its} order by id desc limit 1)
    ) as news (at)
    where at between ${from} and ${until}`);
  return found?.at ?? undefined;
}
