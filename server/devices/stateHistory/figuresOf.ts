import { type Db, sql } from '#server/infra/db/sql.ts';

export interface Figures {
  min: number;
  mean: number;
  max: number;
}

/** A number of a device over the minutes before a time. */
export interface FiguresAsked {
  projectId: string;
  deviceId: string;
  property: string;
  minutes: number;
  at: Date;
}

const askedMax = 1_000;
const reportsMax = 100_000;
/** Number of earlier reports that are searched for the last one with the value. */
const lookedAtMax = 1_000;
/** Anything nearer to zero counts as zero: the database refuses products that are too small for a number. */
const smallest = 1e-100;

/**
 * Numbers of devices over the last minutes, for rules, in the order of `asked`. Each value is weighted by how long it
 * held, from its report to the next one: otherwise, for a device that reports only changes, busy times would weigh
 * more, and a device without changes would have no value. Undefined if it was not reported in the previous seven days.
 */
export async function figuresOf(db: Db, asked: readonly FiguresAsked[]): Promise<(Figures | undefined)[]> {
  const found: (Figures | undefined)[] = [];
  for (let first = 0; first < asked.length; first += askedMax)
    found.push(...(await figuresOfSome(db, asked.slice(first, first + askedMax))));
  return found;
}

async function figuresOfSome(db: Db, asked: readonly FiguresAsked[]): Promise<(Figures | undefined)[]> {
  const number = sql`(s.numbers ->> a.property)::float8`;
  const reports = sql`
    select s.ts, case when abs(${number}) < ${smallest} then 0 else ${number} end as value from state_reports s
    where s.project_id = a.project_id and s.device_id = a.device_id and s.numbers is not null`;
  const begin = sql`a.at - make_interval(mins => a.minutes)`;
  const rows = await db.many<{ [Name in keyof Figures]: number | null }>(sql`
    select f.min, f.mean, f.max from unnest(
      ${asked.map(one => one.projectId)}::text[], ${asked.map(one => one.deviceId)}::text[],
      ${asked.map(one => one.property)}::text[], ${asked.map(one => one.minutes)}::int[],
      ${asked.map(one => one.at)}::timestamptz[]
    ) with ordinality as a (project_id, device_id, property, minutes, at, number)
    cross join lateral (
      with said as (
        select * from (
          ${reports} and s.ts > ${begin} and s.ts <= a.at order by s.ts desc limit ${reportsMax}) n
        where value is not null),
      held as (
        select * from (
          ${reports} and s.ts <= ${begin} and s.ts > a.at - interval '7 days' order by s.ts desc limit ${lookedAtMax}) n
        where value is not null order by ts desc limit 1),
      points as (
        select ts, value from said union all select ts, value from held),
      spans as (
        select *, extract(epoch from lead(ts, 1, a.at) over (order by ts) - greatest(ts, ${begin}))::float8 as seconds
        from points)
      select min(value) as min, max(value) as max,
        coalesce(sum(value * seconds) / nullif(sum(seconds), 0), avg(value)) as mean
      from spans) f
    order by a.number`);
  return rows.map(({ min, mean, max }) =>
    min === null || mean === null || max === null ? undefined : { min, mean, max },
  );
}
