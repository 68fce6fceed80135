import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { Gathering } from '#server/infra/pace/gathering.ts';
import { hourText } from '#server/infra/pace/hourText.ts';
import type { Platform } from '#server/infra/platform.ts';
import { addDuration, addDurations, durationsAdded, noDurations } from './durations.ts';

/** How long users are counted by day. Calls are counted for one day. */
export const userDays = 30;

/** A call of the app API. */
export interface AppCall {
  projectId: string;
  appId: string;
  userId: string | undefined;
  at: Date;
  /** Undefined: a stream, which lasts until the app disconnects. */
  ms: number | undefined;
  isConfigRead: boolean;
}

/** The calls of one app in one hour that are not stored yet. */
interface Counted {
  calls: number;
  durations: number[];
  configReads: number;
  configReadAt: Date | undefined;
  userIds: Set<string>;
}

const ofPlatform = new WeakMap<Platform, Gathering<Counted>>();

function countsOf(platform: Platform): Gathering<Counted> {
  const { db, log } = platform;
  const counts =
    ofPlatform.get(platform) ??
    new Gathering<Counted>({
      name: 'apps',
      log,
      add: added,
      make: () => ({
        calls: 0,
        durations: noDurations(),
        configReads: 0,
        configReadAt: undefined,
        userIds: new Set(),
      }),
      store: all =>
        db.tx(async tx => {
          await addHours(tx, all);
          await addUsers(tx, all);
        }),
    });
  ofPlatform.set(platform, counts);
  return counts;
}

export const flushAppCalls = (platform: Platform) => countsOf(platform).flush();

export function countAppCall(platform: Platform, call: AppCall): void {
  const { projectId, appId, userId, at, ms, isConfigRead } = call;
  const counted = countsOf(platform).of(`${projectId} ${appId} ${hourText(at)}`);
  counted.calls += 1;
  if (ms !== undefined) addDuration(counted.durations, ms);
  if (userId !== undefined) counted.userIds.add(userId);
  if (!isConfigRead) return;
  counted.configReads += 1;
  counted.configReadAt = at;
}

function added(earlier: Counted, later: Counted): Counted {
  addDurations(earlier.durations, later.durations);
  return {
    calls: earlier.calls + later.calls,
    durations: earlier.durations,
    configReads: earlier.configReads + later.configReads,
    configReadAt: later.configReadAt ?? earlier.configReadAt,
    userIds: new Set([...earlier.userIds, ...later.userIds]),
  };
}

/** Splits a key like `prj_1 app 2026-11-22T09:00Z`; none of the parts contains a space. */
function partsOf(key: string): { projectId: string; appId: string; hour: string } {
  const [projectId = '', appId = '', hour = ''] = key.split(' ');
  return { projectId, appId, hour };
}

/** Skips apps that have been deleted, and waits for deletions in progress. */
async function addHours(db: Db, all: Map<string, Counted>): Promise<void> {
  const rows = [...all].map(([key, counted]) => ({ ...partsOf(key), ...counted }));
  await db.run(sql`
    insert into app_hours as h (project_id, app_id, hour, calls, durations, config_reads, config_read_at)
    select a.project_id, a.id, c.hour, c.calls, c.durations::bigint[], c.reads, c.read_at
    from unnest(${rows.map(({ projectId }) => projectId)}::text[], ${rows.map(({ appId }) => appId)}::text[],
      ${rows.map(({ hour }) => hour)}::timestamptz[], ${rows.map(({ calls }) => calls)}::bigint[],
      ${rows.map(({ durations }) => `{${durations.join()}}`)}::text[],
      ${rows.map(({ configReads }) => configReads)}::bigint[],
      ${rows.map(({ configReadAt }) => configReadAt ?? null)}::timestamptz[])
      as c (project_id, app_id, hour, calls, durations, reads, read_at)
    join apps a on a.project_id = c.project_id and a.id = c.app_id
    for key share of a
    on conflict (project_id, app_id, hour) do update set
      calls = h.calls + excluded.calls,
      durations = ${durationsAdded},
      config_reads = h.config_reads + excluded.config_reads,
      config_read_at = greatest(h.config_read_at, excluded.config_read_at)`);
}

/** A user costs at most one write per hour, for any number of calls. Users who have been deleted are skipped. */
async function addUsers(db: Db, all: Map<string, Counted>): Promise<void> {
  const rows = [...all].flatMap(([key, { userIds }]) =>
    [...userIds].toSorted().map(userId => ({ ...partsOf(key), userId })),
  );
  if (rows.length === 0) return;
  await db.run(sql`
    insert into app_user_days as d (project_id, app_id, day, user_id, hours)
    select project_id, app_id, day, user_id, bit_or(1 << hour) from (
      select c.* from unnest(${rows.map(({ projectId }) => projectId)}::text[], ${rows.map(({ appId }) => appId)}::text[],
      ${rows.map(({ hour }) => hour.slice(0, 10))}::date[], ${rows.map(({ hour }) => Number(hour.slice(11, 13)))}::int[],
      ${rows.map(({ userId }) => userId)}::text[]) as c (project_id, app_id, day, hour, user_id)
      join apps a on a.project_id = c.project_id and a.id = c.app_id
      join users u on u.project_id = c.project_id and u.id = c.user_id
      for key share of u) as c
    group by project_id, app_id, day, user_id
    on conflict (project_id, app_id, day, user_id) do update set hours = d.hours | excluded.hours
      where d.hours | excluded.hours <> d.hours`);
}

export const appCallChores: Chore[] = [
  {
    name: 'calls of apps',
    deletes: now => sql`
      delete from app_hours where (project_id, app_id, hour) in (
        select project_id, app_id, hour from app_hours where hour < ${daysBefore(now, 2)} limit ${batch}) returning 1`,
  },
  {
    name: 'users of apps',
    deletes: now => sql`
      delete from app_user_days where (project_id, app_id, day, user_id) in (
        select project_id, app_id, day, user_id from app_user_days
        where day < ${daysBefore(now, userDays + 1)}::date limit ${batch}) returning 1`,
  },
];
