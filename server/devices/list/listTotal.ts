import { type Database, type Db, empty, raw, type Sql, sql } from '#server/db/sql.ts';
import { type DeviceFilter, deviceConditions, presenceConditions } from './filters.ts';
import { sourceOf } from './listPage.ts';

/** Beyond this a filtered list is not counted any further. */
export const countedMax = 10_000;

export interface Total {
  total: number;
  totalIsLowerBound?: boolean;
}

/** Counters know how many there are by class, claimed and connected; all else is counted, up to a bound and a time. */
export async function totalOf(
  db: Database,
  filter: DeviceFilter,
  withinMs: number,
): Promise<Total | undefined> {
  const counter = counterOf(filter);
  if (counter) return { total: await sumOf(db, filter, counter) };
  const order = { sortBy: 'creationTime', descending: true };
  const counted = await db.within<{ total: number }>(
    withinMs,
    sql`select count(*)::int as total from (${sourceOf(filter, order)} limit ${countedMax + 1}) found`,
  );
  const total = counted?.[0]?.total;
  return total === undefined ? undefined : upTo(total);
}

/** What was counted no further than one beyond the bound. */
export const upTo = (total: number): Total =>
  total > countedMax ? { total: countedMax, totalIsLowerBound: true } : { total };

type Counter = 'claimed' | 'unclaimed' | 'connected' | 'claimed + unclaimed';

function counterOf(filter: DeviceFilter): Counter | undefined {
  const { claimed, connectionStatus } = filter;
  const conditions = deviceConditions(filter).length + presenceConditions(filter).length;
  if (conditions === 0) return 'claimed + unclaimed';
  if (conditions > 1) return undefined;
  if (connectionStatus === 'connected') return 'connected';
  return claimed === undefined ? undefined : claimed ? 'claimed' : 'unclaimed';
}

async function sumOf(db: Db, filter: DeviceFilter, counter: Counter): Promise<number> {
  return (await db.one<{ total: number }>(sql`select ${sum(filter, counter)} as total`))?.total ?? 0;
}

/** How many devices there are where only project and class are asked for, as a column. */
export const countAll = (filter: DeviceFilter): Sql => sum(filter, 'claimed + unclaimed');

/** What the counters say, as a column; exact at any size. */
export function sum({ projectId, deviceClass }: DeviceFilter, counter: Counter): Sql {
  return sql`(
    select coalesce(sum(${raw(counter)}), 0)::float8 from device_counts
    where project_id = ${projectId} ${deviceClass ? sql`and device_class = ${deviceClass}` : empty})`;
}
