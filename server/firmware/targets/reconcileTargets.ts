import { minuteMs } from '#rules/time/durations.ts';
import { type Database, type Db, join, raw, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { clockOf, clocks, fail } from './advance.ts';
import { type CourseRow, courseColumns, lockCourses, saveCourses } from './courses.ts';
import { resolved } from './resolveTarget.ts';
import { publishTargets, retarget } from './retarget.ts';
import { againOf } from './retryTargets.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    reconcileTargets: Record<string, never>;
  }
}

/** The maximum of each kind of work in one run; the rest waits a minute. */
const retriesMax = 5_000;
const countedMax = 20_000;
const lookedAtMax = 20_000;
const batch = 1_000;

/** Where the check of all devices continues. */
export interface Cursor {
  projectId: string;
  deviceId: string;
}

/**
 * The job that runs every minute: it retries updates that are due, counts the time of running ones and ends those that
 * are overdue, and checks a part of all devices against what they should run. The check only finds what two
 * simultaneous changes missed.
 */
export async function reconcileTargets(
  platform: Pick<Platform, 'db' | 'bus' | 'clock'>,
  from: Cursor,
): Promise<Cursor> {
  const { db, clock } = platform;
  for (let done = 0, due = batch; due === batch && done < retriesMax; done += due) {
    const ids = await db.tx(tx => retryDue(tx, clock()));
    publishTargets(platform, ids);
    due = ids.length;
  }
  await countTime(db, clock());
  for (let due = batch; due === batch; ) due = await db.tx(tx => endOverdue(tx, clock()));
  return mendDrift(platform, from);
}

async function retryDue(db: Db, now: Date): Promise<string[]> {
  const rows = await lockCourses(db, sql`t.retry_at <= ${now} and t.bundle_id is not null`, batch);
  await saveCourses(
    db,
    rows.map(before => ({ before, next: againOf(before) })),
    now,
  );
  return rows.map(({ deviceId }) => deviceId);
}

const isClocked = sql`t.state in (${raw(clocks.flatMap(({ states }) => states.map(one => `'${one}'`)).join(', '))})`;

/** Counts only time in which a device was connected: since the last count, or since it connected. */
async function countTime(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - minuteMs / 2);
  await db.run(sql`
    with there as (
      select t.project_id, t.device_id, greatest(t.counted_at, t.state_at, s.since) as since
      from device_targets t
      join device_presence s on s.project_id = t.project_id and s.device_id = t.device_id and s.seen_at = 'infinity'
      where ${isClocked} and (t.counted_at is null or t.counted_at < ${since})
      order by t.counted_at nulls first limit ${countedMax} for no key update of t skip locked)
    update device_targets t set counted_at = ${now},
      connected_ms = t.connected_ms + greatest(0, extract(epoch from ${now}::timestamptz - there.since) * 1000)::bigint
    from there where t.project_id = there.project_id and t.device_id = there.device_id`);
}

/** A device that took too long fails in a way that is retried; one that did not return from a reboot is lost. */
async function endOverdue(db: Db, now: Date): Promise<number> {
  const overdue = clocks.map(
    ({ states, limit }) =>
      sql`t.state in (${raw(states.map(one => `'${one}'`).join(', '))})
        and t.connected_ms >= k.${raw(limit)} * ${minuteMs}::bigint`,
  );
  const rows = await db.many<CourseRow>(sql`
    select ${courseColumns} from device_targets t
    join device_classes k on k.project_id = t.project_id and k.id = t.device_class
    where ${isClocked} and (${join(overdue, ' or ')})
    order by t.device_id limit ${batch} for no key update of t skip locked`);
  const changes = rows.map(before => {
    const code = clockOf(before.state)?.code;
    return { before, next: { ...before, ...fail(before, { code, at: now, chance: Math.random() }) } };
  });
  await saveCourses(db, changes, now);
  return rows.length;
}

/** Compares without locks first: hardly any device has drifted. */
async function mendDrift(
  platform: Pick<Platform, 'bus' | 'clock'> & { db: Database },
  from: Cursor,
): Promise<Cursor> {
  const { db, clock } = platform;
  const next = await db.many<Cursor>(sql`
    select project_id as "projectId", id as "deviceId" from devices
    where (project_id, id) > (${from.projectId}, ${from.deviceId}) order by project_id, id limit ${lookedAtMax}`);
  const last = next.at(-1);
  if (!last) return { projectId: '', deviceId: '' };
  const part = sql`(d.project_id, d.id) > (${from.projectId}, ${from.deviceId})
    and (d.project_id, d.id) <= (${last.projectId}, ${last.deviceId})`;
  const drifted = await db.many<Cursor>(sql`
    select w.project_id as "projectId", w.device_id as "deviceId" from (${resolved(part, clock())}) as w
    left join device_targets t on t.project_id = w.project_id and t.device_id = w.device_id
    where (t.bundle_id, t.origin, t.rollout_id) is distinct from (w.bundle_id, w.origin, w.rollout_id)
    order by 1, 2 limit ${batch}`);
  for (const [projectId, of] of Map.groupBy(drifted, one => one.projectId)) {
    const deviceIds = of.map(({ deviceId }) => deviceId);
    publishTargets(platform, await db.tx(tx => retarget(tx, { projectId, deviceIds }, clock())));
  }
  return drifted.length === batch ? from : last;
}
