import { type RankedDevice, type Ranking, rankedDevicesDefault } from '#contract/stateHistory.ts';
import { keysOfPath, valueMax } from '#rules/state/stateNumbers.ts';
import { type Database, raw, type Sql, sql } from '#server/infra/db/sql.ts';

/** Time limit, because all states of the class are read. With too many devices, the answer is marked as incomplete. */
const timeMaxMs = 2_000;

const orders: Record<Ranking, string> = {
  highest: 'value desc, device_id',
  lowest: 'value, device_id',
  latest: 'reported_at desc, device_id',
};

interface Wanted {
  projectId: string;
  classId: string;
  property: string;
  by?: Ranking | undefined;
  limit?: number | undefined;
}

interface Row extends Omit<RankedDevice, 'reportedAt'> {
  reportedAt: Date;
  reportedBy: number;
}

/** The devices of a class ranked by a number in their reported state, and how many devices report it. */
export async function rankedDevices(
  db: Database,
  { projectId, classId, property, by = 'highest', limit = rankedDevicesDefault }: Wanted,
): Promise<{ devices: RankedDevice[]; reportedBy: number; isComplete: boolean }> {
  // `offset 0` keeps the planner from extracting the value from a state more than once.
  const said = sql`
    select s.device_id, s.reported_at, ${valueAt(property)} as said
    from devices d join device_states s on s.project_id = d.project_id and s.device_id = d.id
    where d.project_id = ${projectId} and d.device_class = ${classId} and s.reported_at is not null offset 0`;
  const rows = await db.within<Row>(
    timeMaxMs,
    sql`
    select d.id as "deviceId", d.tag, d.name, first.value::float8 as value, first.reported_at as "reportedAt",
      first.reported_by::float8 as "reportedBy"
    from (
      select *, count(*) over () as reported_by
      from (select device_id, reported_at, ${numberIn(sql`said`)} as value from (${said}) states offset 0) numbers
      where abs(value) <= ${valueMax}
      order by ${raw(orders[by])} limit ${limit}) first
    join devices d on d.project_id = ${projectId} and d.id = first.device_id
    order by ${raw(orders[by])}`,
  );
  if (!rows) return { devices: [], reportedBy: 0, isComplete: false };
  return {
    devices: rows.map(({ reportedBy: _, reportedAt, ...device }) => ({
      ...device,
      reportedAt: reportedAt.toISOString(),
    })),
    reportedBy: rows[0]?.reportedBy ?? 0,
    isComplete: true,
  };
}

/** Step by step, each by a name: a path of `#>` would also find items of lists, which are no properties. */
const valueAt = (property: string): Sql =>
  keysOfPath(property).reduce((value, key) => sql`${value} -> ${key}::text`, sql`s.reported`);

const numberIn = (json: Sql) => sql`
  case jsonb_typeof(${json}) when 'number' then ${json}::numeric when 'boolean' then ${json}::boolean::int end`;
