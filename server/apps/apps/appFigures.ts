import type { App, AppFigures } from '#contract/app.ts';
import { hourMs } from '#rules/time/durations.ts';
import { openStreamsOf } from '#server/apps/streams/openStreams.ts';
import { eventsByName } from '#server/devices/events/eventHours.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { daysBefore } from '#server/infra/jobs/housekeeping.ts';
import type { Platform } from '#server/infra/platform.ts';
import { flushAppCalls, userDays } from './appCalls.ts';
import { bucketsMax, medianOf } from './durations.ts';
import { activeMs } from './store.ts';

const dayHours = 24;

/** How an app is used: its sessions, who called it and how often, and the events it could receive. */
export async function figuresOf(platform: Platform, app: App, now: Date): Promise<AppFigures> {
  const { db } = platform;
  const { projectId } = app;
  await flushAppCalls(platform);
  const [sessions, calls, usersByDay, usersByHour, events, openStreams] = await Promise.all([
    sessionsOf(db, app, now),
    callsOf(db, app, now),
    usersByDayOf(db, app, now),
    usersByHourOf(db, app, now),
    eventsByName(db, projectId, now),
    openStreamsOf(platform, projectId, app.id),
  ]);
  return { ...sessions, ...calls, openStreams, usersByDay, usersByHour, events };
}

type OfSessions = Pick<AppFigures, 'activeSessions' | 'openSessions' | 'users' | 'ended'>;
type Ended = AppFigures['ended'];

/** Ended sessions are kept for 30 days. */
async function sessionsOf(db: Db, { projectId, id }: App, now: Date): Promise<OfSessions> {
  const activeSince = new Date(now.getTime() - activeMs);
  const counted = await db.one<Omit<OfSessions, 'ended'> & Ended>(sql`
    with s as (
      select user_id, end_reason, ended_at is null and expires_at > ${now} as is_open,
        ended_at is null and expires_at <= ${now} as is_lapsed, last_seen_at > ${activeSince} as is_active
      from user_sessions where project_id = ${projectId} and app_id = ${id}
        and (ended_at is null or ended_at > ${daysBefore(now, userDays)}))
    select (count(*) filter (where is_open))::int as "openSessions",
      (count(*) filter (where is_open and is_active))::int as "activeSessions",
      (count(distinct user_id) filter (where is_open))::int as users,
      (count(*) filter (where end_reason = 'signedOut'))::int as "signedOut",
      (count(*) filter (where end_reason = 'expired' or is_lapsed))::int as expired,
      (count(*) filter (where end_reason = 'reused'))::int as reused,
      (count(*) filter (where end_reason = 'ended'))::int as ended
    from s`);
  const none = {
    activeSessions: 0,
    openSessions: 0,
    users: 0,
    signedOut: 0,
    expired: 0,
    reused: 0,
    ended: 0,
  };
  const { activeSessions, openSessions, users, signedOut, expired, reused, ended } = counted ?? none;
  return { activeSessions, openSessions, users, ended: { signedOut, expired, reused, ended } };
}

interface Hours {
  calls: number;
  configReads: number;
  configReadAt: Date | null;
  durations: number[];
}

async function callsOf(
  db: Db,
  { projectId, id }: App,
  now: Date,
): Promise<Pick<AppFigures, 'calls' | 'configReads'>> {
  const hours = await db.many<Hours>(sql`
    select calls::float8 as calls, config_reads::float8 as "configReads", config_read_at as "configReadAt",
      durations::float8[] as durations from app_hours
    where project_id = ${projectId} and app_id = ${id} and hour > ${daysBefore(now, 1)} order by hour`);
  const sum = (of: (hour: Hours) => number) => hours.reduce((all, hour) => all + of(hour), 0);
  const buckets = Array.from({ length: bucketsMax }, (_, bucket) => sum(hour => hour.durations[bucket] ?? 0));
  const medianMs = medianOf(buckets);
  const lastAt = hours.findLast(({ configReadAt }) => configReadAt)?.configReadAt?.toISOString();
  return {
    calls: { count: sum(({ calls }) => calls), ...(medianMs !== undefined && { medianMs }) },
    configReads: { count: sum(({ configReads }) => configReads), ...(lastAt !== undefined && { lastAt }) },
  };
}

async function usersByDayOf(db: Db, { projectId, id }: App, now: Date): Promise<AppFigures['usersByDay']> {
  const days = Array.from({ length: userDays }, (_, ago) => dayOf(daysBefore(now, userDays - 1 - ago)));
  const rows = await db.many<{ day: string; users: number }>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, count(*)::int as users from app_user_days
    where project_id = ${projectId} and app_id = ${id} and day >= ${days[0]}::date
    group by app_user_days.day`);
  const users = new Map(rows.map(row => [row.day, row.users]));
  return days.map(day => ({ day, users: users.get(day) ?? 0 }));
}

async function usersByHourOf(db: Db, { projectId, id }: App, now: Date): Promise<AppFigures['usersByHour']> {
  const last = Math.floor(now.getTime() / hourMs) * hourMs;
  const hours = Array.from({ length: dayHours }, (_, at) => new Date(last - (dayHours - 1 - at) * hourMs));
  const rows = await db.many<{ hour: Date; users: number }>(sql`
    select day::timestamp at time zone 'UTC' + make_interval(hours => bit) as hour, count(*)::int as users
    from app_user_days cross join generate_series(0, 23) as bit
    where project_id = ${projectId} and app_id = ${id} and day >= ${dayOf(daysBefore(now, 1))}::date
      and hours >> bit & 1 = 1 group by 1`);
  const users = new Map(rows.map(row => [row.hour.getTime(), row.users]));
  return hours.map(hour => ({ hour: hour.toISOString(), users: users.get(hour.getTime()) ?? 0 }));
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);
