import { Problem } from '#contract/problem.ts';
import {
  listClassFirmware,
  readDeviceFigures,
  readMessageHours,
  readPeopleFigures,
  readStats,
  readTrafficStats,
  type TrafficKind,
  type TrafficMonth,
  trafficKinds,
} from '#contract/stats.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { userCountsOf } from '#server/people/users/userCounts.ts';
import { classFirmware } from './classFirmware.ts';
import { deviceFigures, devicesByClass } from './deviceFigures.ts';
import { messageHoursChores, messageHoursOf } from './messageHours.ts';
import { peopleFigures } from './peopleFigures.ts';

const monthsMax = 36;

export const stats: Slice = {
  tables: {
    traffic_counters: 'The traffic of a project, by day and kind.',
    message_hours: 'The messages from and to the devices of a class, by hour.',
  },
  chores: messageHoursChores,
  routes: [
    on(readStats, async ({ db, params }) => {
      const { active, unverified, suspended } = await userCountsOf(db, params.projectId);
      return { devices: await devicesByClass(db, params.projectId), users: active + unverified + suspended };
    }),

    on(listClassFirmware, ({ db, params }) => classFirmware(db, params.projectId)),

    on(readPeopleFigures, ({ db, params, now }) => peopleFigures(db, params.projectId, now)),

    on(readDeviceFigures, ({ db, projectId = '', params }) => deviceFigures(db, projectId, params.classId)),

    on(readMessageHours, async ({ db, params, now, platform }) => {
      await platform.traffic.flush();
      return messageHoursOf(db, params.projectId, now);
    }),

    on(readTrafficStats, async ({ db, params, query, platform }) => {
      const months = monthsBetween(query.begin, query.end);
      if (months.length === 0 || months.length > monthsMax) {
        const message = `The end must not be before the start, and the range can be at most ${monthsMax} months.`;
        throw new Problem('INVALID_RANGE', { message });
      }
      await platform.traffic.flush();
      return byMonth(months, await countsOf(db, params.projectId, query.begin, query.end));
    }),
  ],
};

interface Counted {
  day: string;
  kind: TrafficKind;
  count: string;
}

function countsOf(db: Db, projectId: string, begin: string, end: string): Promise<Counted[]> {
  return db.many<Counted>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, kind, count from traffic_counters
    where project_id = ${projectId} and day >= ${`${begin}-01`}::date
      and day < ${`${end}-01`}::date + interval '1 month'
    order by day`);
}

/** Includes both ends: `2026-10` to `2026-11` is two months. */
function monthsBetween(begin: string, end: string): string[] {
  const months: string[] = [];
  const [year = 0, month = 1] = begin.split('-').map(Number);
  for (let i = 0; i <= monthsMax; i++) {
    const name = new Date(Date.UTC(year, month - 1 + i, 1)).toISOString().slice(0, 7);
    if (name > end) break;
    months.push(name);
  }
  return months;
}

function byMonth(months: string[], counted: Counted[]): TrafficMonth[] {
  return months.map(month => {
    const ofMonth = counted.filter(({ day }) => day.startsWith(month));
    const days = Map.groupBy(ofMonth, ({ day }) => day);
    return {
      month,
      counts: sum(ofMonth),
      days: [...days].map(([day, ofDay]) => ({ day, counts: sum(ofDay) })),
    };
  });
}

function sum(counted: Counted[]): Record<TrafficKind, number> {
  const counts = Object.fromEntries(trafficKinds.map(kind => [kind, 0])) as Record<TrafficKind, number>;
  for (const { kind, count } of counted) counts[kind] += Number(count);
  return counts;
}
