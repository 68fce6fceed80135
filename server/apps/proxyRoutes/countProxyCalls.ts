import { addDuration, addDurations, durationsAdded, noDurations } from '#server/apps/apps/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { count } from '#server/infra/metrics.ts';
import { Gathering } from '#server/infra/pace/gathering.ts';
import { hourText } from '#server/infra/pace/hourText.ts';
import type { Platform } from '#server/infra/platform.ts';

/** A call to a back end. */
export interface ProxyCall {
  projectId: string;
  routeId: string;
  at: Date;
  /** Undefined for a stream, which lasts as long as someone listens. */
  ms: number | undefined;
  /** Why the call failed: a reason, or a 5xx status. */
  failedFor: string | undefined;
}

/** The calls of one route in one hour that have not been written yet. */
interface Counted {
  calls: number;
  durations: number[];
  failures: Map<string, number>;
}

const ofPlatform = new WeakMap<Platform, Gathering<Counted>>();

function countsOf(platform: Platform): Gathering<Counted> {
  const known = ofPlatform.get(platform);
  if (known) return known;
  const { db, log } = platform;
  const counts = new Gathering<Counted>({
    name: 'proxy routes',
    log,
    add: added,
    make: () => ({ calls: 0, durations: noDurations(), failures: new Map() }),
    store: all =>
      db.tx(async tx => {
        await addHours(tx, all);
        await addFailures(tx, all);
      }),
  });
  ofPlatform.set(platform, counts);
  return counts;
}

export const flushProxyCalls = (platform: Platform) => countsOf(platform).flush();

export function countProxyCall(
  platform: Platform,
  { projectId, routeId, at, ms, failedFor }: ProxyCall,
): void {
  count('mooring_proxy_calls_total', { outcome: failedFor ?? 'answered' });
  const counted = countsOf(platform).of(`${projectId} ${routeId} ${hourText(at)}`);
  counted.calls += 1;
  if (ms !== undefined) addDuration(counted.durations, ms);
  if (failedFor !== undefined) counted.failures.set(failedFor, (counted.failures.get(failedFor) ?? 0) + 1);
}

function added(earlier: Counted, later: Counted): Counted {
  addDurations(earlier.durations, later.durations);
  for (const [code, by] of later.failures) earlier.failures.set(code, (earlier.failures.get(code) ?? 0) + by);
  return { ...earlier, calls: earlier.calls + later.calls };
}

/** Splits a key such as `prj_1 prx_1 2026-11-22T09:00Z`. */
function partsOf(key: string): { projectId: string; routeId: string; hour: string } {
  const [projectId = '', routeId = '', hour = ''] = key.split(' ');
  return { projectId, routeId, hour };
}

/** Skips routes that have been deleted, and waits for deletions in progress. */
async function addHours(db: Db, all: Map<string, Counted>): Promise<void> {
  const rows = [...all].map(([key, counted]) => ({
    ...partsOf(key),
    ...counted,
    failed: [...counted.failures.values()].reduce((sum, one) => sum + one, 0),
  }));
  await db.run(sql`
    insert into proxy_route_hours as h (project_id, route_id, hour, calls, failed, durations)
    select r.project_id, r.id, c.hour, c.calls, c.failed, c.durations::bigint[]
    from unnest(${rows.map(({ projectId }) => projectId)}::text[], ${rows.map(({ routeId }) => routeId)}::text[],
      ${rows.map(({ hour }) => hour)}::timestamptz[], ${rows.map(({ calls }) => calls)}::bigint[],
      ${rows.map(({ failed }) => failed)}::bigint[],
      ${rows.map(({ durations }) => `{${durations.join()}}`)}::text[])
      as c (project_id, route_id, hour, calls, failed, durations)
    join proxy_routes r on r.project_id = c.project_id and r.id = c.route_id
    for key share of r
    on conflict (project_id, route_id, hour) do update set
      calls = h.calls + excluded.calls,
      failed = h.failed + excluded.failed,
      durations = ${durationsAdded}`);
}

async function addFailures(db: Db, all: Map<string, Counted>): Promise<void> {
  const rows = [...all].flatMap(([key, { failures }]) =>
    [...failures].toSorted().map(([code, by]) => ({ ...partsOf(key), code, by })),
  );
  if (rows.length === 0) return;
  await db.run(sql`
    insert into proxy_route_failures as f (project_id, route_id, hour, code, count)
    select r.project_id, r.id, c.hour, c.code, c.count
    from unnest(${rows.map(({ projectId }) => projectId)}::text[], ${rows.map(({ routeId }) => routeId)}::text[],
      ${rows.map(({ hour }) => hour)}::timestamptz[], ${rows.map(({ code }) => code)}::text[],
      ${rows.map(({ by }) => by)}::bigint[]) as c (project_id, route_id, hour, code, count)
    join proxy_routes r on r.project_id = c.project_id and r.id = c.route_id
    on conflict (project_id, route_id, hour, code) do update set count = f.count + excluded.count`);
}

export const proxyCallChores: Chore[] = ['hours', 'failures'].map(what => ({
  name: `${what} of proxy routes`,
  deletes: now =>
    what === 'hours'
      ? sql`
        delete from proxy_route_hours where (project_id, route_id, hour) in (
          select project_id, route_id, hour from proxy_route_hours where hour < ${daysBefore(now, 2)} limit ${batch})
        returning 1`
      : sql`
        delete from proxy_route_failures where (project_id, route_id, hour, code) in (
          select project_id, route_id, hour, code from proxy_route_failures
          where hour < ${daysBefore(now, 2)} limit ${batch}) returning 1`,
}));
