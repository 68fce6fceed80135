import { type Db, sql } from '#server/db/sql.ts';

export interface Figures {
  min: number;
  mean: number;
  max: number;
  /** Reports within the time. */
  count: number;
  /** True: the value was known all the time, from a report before it began on. */
  isWhole: boolean;
  /** The last report. */
  at: Date;
}

const reportsMax = 100_000;
/** Among so many reports before, the last that said the value is looked for. */
const lookedAtMax = 1_000;

/**
 * A number of a device over the last minutes, for rules. A value counts for as long as it held, from its report to the next:
 * a device that reports only what changes would else weigh restless moments more, and one that reported nothing new
 * would have no value at all. Undefined: it has not reported it in the last seven days.
 */
export async function figuresOf(
  db: Db,
  projectId: string,
  deviceId: string,
  property: string,
  minutes: number,
  now = new Date(),
): Promise<Figures | undefined> {
  const from = new Date(now.getTime() - minutes * 60_000);
  const reports = sql`
    select ts, (numbers ->> ${property}::text)::float8 as value from state_reports
    where project_id = ${projectId} and device_id = ${deviceId} and numbers is not null`;
  const row = await db.one<Omit<Figures, 'at'> & { at: Date | null }>(sql`
    with said as (
      select * from (
        ${reports} and ts > ${from} and ts <= ${now} order by ts desc limit ${reportsMax}) n
      where value is not null),
    held as (
      select * from (
        ${reports} and ts <= ${from} and ts > ${now}::timestamptz - interval '7 days' order by ts desc limit ${lookedAtMax}) n
      where value is not null order by ts desc limit 1),
    points as (
      select ts, value, true as is_within from said
      union all select ts, value, false from held),
    spans as (
      select *, extract(epoch from lead(ts, 1, ${now}) over (order by ts) - greatest(ts, ${from}))::float8 as seconds
      from points)
    select min(value) as min, max(value) as max,
      coalesce(sum(value * seconds) / nullif(sum(seconds), 0), avg(value)) as mean,
      (count(*) filter (where is_within))::int as count, coalesce(bool_or(not is_within), false) as "isWhole", max(ts) as at
    from spans`);
  return row?.at ? { ...row, at: row.at } : undefined;
}

/** The mean alone. */
export async function meanOf(...asked: Parameters<typeof figuresOf>): Promise<number | undefined> {
  return (await figuresOf(...asked))?.mean;
}
