import { type RankedDevice, type Ranking, rankedDevicesDefault } from '#contract/stateHistory.ts';
import { keysOfPath, valueMax } from '#rules/state/stateNumbers.ts';
import { type Database, raw, sql } from '#server/db/sql.ts';

/** All states of the class are read. Whoever has more devices than that takes is told so, and holds up nobody. */
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

/** The devices of a class that come first by a number of their reported state, and how many report it. */
export async function rankedDevices(
  db: Database,
  { projectId, classId, property, by = 'highest', limit = rankedDevicesDefault }: Wanted,
): Promise<{ devices: RankedDevice[]; reportedBy: number; isComplete: boolean }> {
  const rows = await db.within<Row>(
    timeMaxMs,
    sql`
    with said as materialized (
      select s.device_id, s.reported_at, case jsonb_typeof(s.reported #> ${keysOfPath(property)}::text[])
        when 'number' then (s.reported #>> ${keysOfPath(property)}::text[])::numeric
        when 'boolean' then (s.reported #> ${keysOfPath(property)}::text[])::boolean::int end as value
      from devices d join device_states s on s.project_id = d.project_id and s.device_id = d.id
      where d.project_id = ${projectId} and d.device_class = ${classId} and s.reported_at is not null),
    numbers as materialized (select * from said where abs(value) <= ${valueMax})
    select d.id as "deviceId", d.tag, d.name, first.value::float8 as value, first.reported_at as "reportedAt",
      (select count(*) from numbers)::float8 as "reportedBy"
    from (select * from numbers order by ${raw(orders[by])} limit ${limit}) first
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
