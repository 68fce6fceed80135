import type { ConnectedHistory } from '#contract/fleet.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { retentionDays } from '#rules/time/retention.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    sampleConnected: Record<string, never>;
  }
}

export const quarterMs = 15 * minuteMs;
/** The quarters of an hour of a day, and the one in which it began. */
const shown = 97;

/**
 * The job that records how many devices are connected, every few minutes. It reads the counters, a row for each class,
 * so its cost does not depend on the number of devices.
 */
export function sampleConnectedJob({ db, clock }: Pick<Platform, 'db' | 'clock'>): Task<'sampleConnected'> {
  return () => sampleConnected(db, clock());
}

/** The class `''` stands for the whole project. */
async function sampleConnected(db: Db, now: Date): Promise<void> {
  const at = new Date(Math.floor(now.getTime() / quarterMs) * quarterMs);
  await db.run(sql`
    insert into connected_history as h (project_id, device_class, at, connected, low, high)
    select c.project_id, coalesce(c.device_class, ''), ${at}, sum(c.connected), sum(c.connected), sum(c.connected)
    from device_counts c join projects p on p.id = c.project_id and p.deleted_at is null
    group by grouping sets ((c.project_id), (c.project_id, c.device_class))
    order by 1, 2
    on conflict (project_id, device_class, at) do update set connected = excluded.connected,
      low = least(h.low, excluded.connected),
      high = greatest(coalesce(h.high, h.connected), excluded.connected)`);
}

/** Stores counts for past quarters of an hour, for sample data. */
export async function storePastConnected(
  db: Db,
  projectId: string,
  quarters: readonly { deviceClass: string; at: Date; connected: number; low: number }[],
): Promise<void> {
  await db.run(sql`
    insert into connected_history (project_id, device_class, at, connected, low)
    select ${projectId}, * from unnest(
      ${quarters.map(({ deviceClass }) => deviceClass)}::text[], ${quarters.map(({ at }) => at)}::timestamptz[],
      ${quarters.map(({ connected }) => connected)}::bigint[], ${quarters.map(({ low }) => low)}::bigint[])`);
}

export async function connectedHistoryOf(
  db: Db,
  { projectId, deviceClass = '' }: { projectId: string; deviceClass?: string | undefined },
  now: Date,
): Promise<ConnectedHistory> {
  const rows = await db.many<{ at: Date; connected: number; low: number }>(sql`
    select at, connected::float8 as connected, low::float8 as low from connected_history
    where project_id = ${projectId} and device_class = ${deviceClass}
      and at > ${new Date(now.getTime() - (shown + 4) * quarterMs)}
    order by at limit ${shown + 4}`);
  return { points: rows.map(row => ({ ...row, at: row.at.toISOString() })) };
}

export const connectedHistoryChores: readonly Chore[] = [
  {
    name: 'connected history',
    deletes: now => sql`
      delete from connected_history where (project_id, device_class, at) in (
        select project_id, device_class, at from connected_history
        where at < ${new Date(now.getTime() - retentionDays.connectedHistory * dayMs)} limit ${batch}) returning 1`,
  },
];
