import type { HistorySeries } from '#contract/stateHistory.ts';
import { type Db, empty, raw, type Sql, sql } from '#server/infra/db/sql.ts';
import { unseen } from './historyTables.ts';
import type { Chosen } from './resolution.ts';

/** Number of reports from which an answer is computed at most; beyond that, the figures are used. */
const reportsReadMax = 200_000;
/** More than the number of properties of a project. */
const rowsMax = 100_000;

interface Of {
  projectId: string;
  /** The subject in the tables of figures; reports exist only for devices. */
  subject: string;
  deviceId?: string;
  property?: string | undefined;
  /** For a home: when the device joined it. */
  since?: Date | undefined;
  /** All reports, however many: for a range that is read in parts. */
  isWhole?: boolean;
}

/** Minimum, mean and maximum of numbers, for each step with a report. */
export async function seriesOf(db: Db, of: Of, chosen: Chosen): Promise<HistorySeries[]> {
  const rows = await db.many<{
    property: string;
    at: Date;
    least: number;
    most: number;
    sum: number;
    count: number;
  }>(sql`
    select property, date_bin(make_interval(secs => ${chosen.stepS}), at, ${origin}) as at, min(least) as least,
      max(most) as most, sum(sum) as sum, sum(count)::float8 as count
    from (${chosen.resolution === 'raw' ? reports(of, chosen, empty) : figures(of, chosen)}) parts
    where not exists (
      select from state_properties k
      where k.project_id = ${of.projectId} and k.property = parts.property and not k.is_kept)
    group by 1, 2 order by 1, 2 limit ${rowsMax}`);
  return [...Map.groupBy(rows, ({ property }) => property)].map(([property, points]) => ({
    property,
    points: points.map(({ at, least: min, most: max, sum, count }) => ({
      at: at.toISOString(),
      min,
      // Not divided by the database, which refuses a quotient that is too small for a number.
      mean: Math.min(max, Math.max(min, sum / count)),
      max,
      count,
    })),
  }));
}

/** Steps are aligned with days in UTC. */
const origin = sql`'2000-01-01T00:00:00Z'::timestamptz`;

/** A step that began before the range is included completely, but nothing from before `since`. */
function range(column: Sql, { since }: Of, { begin, end, stepS, keptFrom }: Chosen): Sql {
  const from = sql`greatest(${keptFrom}::timestamptz, ${since ?? null}::timestamptz,
    date_bin(make_interval(secs => ${stepS}), ${begin}::timestamptz, ${origin}))`;
  return sql`${column} >= ${from} and ${column} < ${end}`;
}

/** The figures, and the reports of a device that have not been added to them yet. */
function figures(of: Of, chosen: Chosen): Sql {
  const { projectId, subject, property } = of;
  const table = raw(chosen.resolution === 'hours' ? 'state_hours' : 'state_minutes');
  const added = sql`
    select property, at, least, most, sum, count from ${table}
    where project_id = ${projectId} and subject = ${subject}
      ${property === undefined ? empty : sql`and property = ${property}`} and ${range(sql`at`, of, chosen)}`;
  if (of.deviceId === undefined) return added;
  const waiting = sql`
    and n.ts > r.complete_at - interval '15 minutes' and n.ts > r.since
    and ${unseen(sql`n`, sql`r.seen`)}`;
  return sql`${added} union all (${reports(of, chosen, waiting)})`;
}

function reports(of: Of, chosen: Chosen, which: Sql): Sql {
  const { projectId, deviceId = '', property, isWhole = false } = of;
  const said =
    property === undefined
      ? sql`json_each_text(n.numbers)`
      : sql`(select ${property}::text, n.numbers ->> ${property}::text where n.numbers ->> ${property}::text is not null)`;
  return sql`
    select said.property, n.ts as at, said.value::float8 as least, said.value::float8 as most,
      said.value::float8 as sum, 1 as count
    from (
      select n.ts, n.numbers from state_reports n cross join state_rollup r
      where n.project_id = ${projectId} and n.device_id = ${deviceId} and n.numbers is not null
        and ${range(sql`n.ts`, of, chosen)} ${which}
      ${isWhole ? empty : sql`order by n.ts desc limit ${reportsReadMax}`}) n
    cross join lateral ${said} as said (property, value)`;
}

/** Whether a device sent more reports in a range than an answer may read. */
export async function hasTooMany(db: Db, of: Of, chosen: Chosen): Promise<boolean> {
  const last = await db.one(sql`
    select 1 as found from state_reports n
    where n.project_id = ${of.projectId} and n.device_id = ${of.deviceId ?? ''} and n.numbers is not null
      and ${range(sql`n.ts`, of, chosen)}
    offset ${reportsReadMax} limit 1`);
  return last !== undefined;
}
