import { holdingMax, type ModuleFigures, type readModuleFigures } from '#contract/moduleRun.ts';
import { hourMs } from '#rules/time/durations.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

const ranges = {
  '24h': { steps: 24, stepMs: hourMs },
  '7d': { steps: 7 * 24, stepMs: hourMs },
  '30d': { steps: 30, stepMs: 24 * hourMs },
} as const;
/** Number of the latest runs whose lateness is computed. */
const lagsMax = 1_000;

interface Hour {
  hour: Date;
  done: number;
  failed: number;
  held: number;
  dropped: number;
  lastAt: Date | null;
  lastFailedAt: Date | null;
}

interface Now {
  waiting: number;
  oldest: Date | null;
  failedNow: number;
  failingSince: Date | null;
  median: number | null;
  p99: number | null;
  holding: number;
  actsAt: Date | null;
}

/** The runs of a module by hour or by day, and its current status. */
export async function readFigures({
  db,
  row,
  query,
  now,
}: Call<typeof readModuleFigures>): Promise<ModuleFigures> {
  const { range = '24h' } = query;
  const { steps, stepMs } = ranges[range];
  const fromMs = (Math.floor(now.getTime() / stepMs) - (steps - 1)) * stepMs;
  const hours = await db.many<Hour>(sql`
    select hour, done::float8, failed::float8, held::float8, dropped::float8, last_at as "lastAt",
      last_failed_at as "lastFailedAt"
    from module_hours where project_id = ${row.projectId} and module_id = ${row.id} and hour >= ${new Date(fromMs)}
    order by hour`);
  const sums = Map.groupBy(hours, ({ hour }) => Math.floor((hour.getTime() - fromMs) / stepMs));
  const sum = (some: readonly Hour[], of: 'done' | 'failed' | 'held' | 'dropped') =>
    some.reduce((all, hour) => all + hour[of], 0);
  const [lastAt, lastFailedAt] = [latest(hours, 'lastAt'), latest(hours, 'lastFailedAt')];
  const present = await readNow(db, row, now);
  return {
    range,
    done: sum(hours, 'done'),
    failed: sum(hours, 'failed'),
    held: sum(hours, 'held'),
    dropped: sum(hours, 'dropped'),
    waiting: present.waiting,
    failedNow: present.failedNow,
    perMinute: perMinute(hours, now),
    hours: Array.from({ length: steps }, (_, at) => {
      const some = sums.get(at) ?? [];
      const hour = new Date(fromMs + at * stepMs).toISOString();
      return { hour, done: sum(some, 'done'), failed: sum(some, 'failed') };
    }),
    ...(lastAt && { lastAt }),
    ...(lastFailedAt && { lastFailedAt }),
    ...(present.oldest && { oldestWaiting: present.oldest.toISOString() }),
    ...(present.actsAt && {
      holding: { devices: present.holding, actsAt: present.actsAt.toISOString() },
    }),
    ...(present.failingSince && { failingSince: present.failingSince.toISOString() }),
    ...(present.median !== null &&
      present.p99 !== null && {
        lagMs: { median: Math.round(present.median), p99: Math.round(present.p99) },
      }),
  };
}

function latest(hours: readonly Hour[], of: 'lastAt' | 'lastFailedAt'): string | undefined {
  return hours.findLast(hour => hour[of] !== null)?.[of]?.toISOString();
}

/** Over the last 60 minutes: the current hour, and a proportional part of the previous hour. */
function perMinute(hours: readonly Hour[], now: Date): number {
  const beginMs = Math.floor(now.getTime() / hourMs) * hourMs;
  const before = 1 - (now.getTime() - beginMs) / hourMs;
  const runs = (ms: number) => {
    const hour = hours.find(one => one.hour.getTime() === ms);
    return hour ? hour.done + hour.failed : 0;
  };
  return Math.round(((runs(beginMs) + runs(beginMs - hourMs) * before) / 60) * 100) / 100;
}

const nothingYet: Now = {
  waiting: 0,
  oldest: null,
  failedNow: 0,
  failingSince: null,
  median: null,
  p99: null,
  holding: 0,
  actsAt: null,
};

async function readNow(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
  now: Date,
): Promise<Now> {
  const ofModule = sql`r.project_id = ${projectId} and r.module_id = ${id}`;
  const row = await db.one<Now>(sql`
    select w.waiting, w.oldest, w.trying + f.failed as "failedNow", h.failing_since as "failingSince", l.median, l.p99, d.holding,
      d.acts_at as "actsAt"
    from (
      select count(*)::int as waiting,
        min(coalesce(r.due_at, r.event_ts, r.created_at)) filter (where r.due_at is null or r.due_at <= ${now}) as oldest,
        count(*) filter (where r.attempts > 0)::int as trying
      from module_runs r where ${ofModule} and r.state = 'waiting') w
    cross join (select count(*)::int as failed from module_runs r where ${ofModule} and r.state = 'failed') f
    cross join (
      select percentile_cont(0.5) within group (order by ms) as median, percentile_cont(0.99) within group (order by ms) as p99
      from (
        select extract(epoch from r.last_at - coalesce(r.due_at, r.event_ts)) * 1000 as ms from module_runs r
        where ${ofModule} and r.state = 'done' and not r.is_test order by r.id desc limit ${lagsMax}) newest
    ) l
    cross join (
      select count(*)::int as holding, min(due_at) as acts_at from (
        select due_at from rule_states where project_id = ${projectId} and module_id = ${id} and due_at is not null
        order by due_at limit ${holdingMax}) next) d
    left join module_health h on h.project_id = ${projectId} and h.module_id = ${id}`);
  return row ?? nothingYet;
}
