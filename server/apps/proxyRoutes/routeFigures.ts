import type { ProxyRouteFigures } from '#contract/proxyCall.ts';
import { type ProxyRoute, proxySockets } from '#contract/proxyRoute.ts';
import { hourMs } from '#rules/time/durations.ts';
import { quantileOf } from '#server/apps/apps/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { flushProxyCalls } from './countProxyCalls.ts';
import { knownBackEndOf } from './forward/backEnd.ts';

const hours = 24;

interface HourRow {
  hour: Date;
  calls: number;
  failed: number;
  durations: number[];
}

/** The calls of a route in the last 24 hours, including the current hour, and its open connections. */
export async function figuresOf(
  platform: Platform,
  { projectId, id }: Pick<ProxyRoute, 'projectId' | 'id'>,
  now: Date,
): Promise<ProxyRouteFigures> {
  await flushProxyCalls(platform);
  const firstMs = Math.floor(now.getTime() / hourMs - (hours - 1)) * hourMs;
  const since = new Date(firstMs);
  const { db } = platform;
  const [rows, byCode] = await Promise.all([
    db.many<HourRow>(sql`
      select hour, calls::float8, failed::float8, durations::float8[] from proxy_route_hours
      where project_id = ${projectId} and route_id = ${id} and hour >= ${since} and hour <= ${now} order by hour`),
    failuresOf(db, { projectId, id }, since, now),
  ]);
  const sum = (of: (row: HourRow) => number) => rows.reduce((all, row) => all + of(row), 0);
  const durations = (rows[0]?.durations ?? []).map((_, at) => sum(row => row.durations[at] ?? 0));
  const [medianMs, p95Ms] = [quantileOf(durations, 0.5), quantileOf(durations, 0.95)];
  const slots = knownBackEndOf(platform, id)?.slots;
  return {
    calls: {
      count: sum(({ calls }) => calls),
      ...(medianMs !== undefined && { medianMs }),
      ...(p95Ms !== undefined && { p95Ms }),
    },
    byHour: Array.from({ length: hours }, (_, at) => {
      const ms = firstMs + at * hourMs;
      const row = rows.find(({ hour }) => hour.getTime() === ms);
      return { hour: new Date(ms).toISOString(), calls: row?.calls ?? 0, failed: row?.failed ?? 0 };
    }),
    failed: { count: sum(({ failed }) => failed), byCode },
    sockets: {
      inUse: slots?.inUse ?? 0,
      max: proxySockets.max,
      waiting: slots?.waiting ?? 0,
      waitingMax: proxySockets.waitingMax,
    },
  };
}

function failuresOf(db: Db, route: Pick<ProxyRoute, 'projectId' | 'id'>, since: Date, now: Date) {
  return db.many<{ code: string; count: number }>(sql`
    select code, sum(count)::float8 as count from proxy_route_failures
    where project_id = ${route.projectId} and route_id = ${route.id} and hour >= ${since} and hour <= ${now}
    group by code order by count desc, code limit 50`);
}
