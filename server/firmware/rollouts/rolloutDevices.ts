import type { listRolloutDevices, RolloutDevice } from '#contract/rolloutReport.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { empty, sql } from '#server/infra/db/sql.ts';
import { outcomeOf, targetsOfDevices } from './counts.ts';

interface Row {
  deviceId: string;
  tag: string;
  name: string;
  step: number;
  outcome: RolloutDevice['outcome'];
  state: string | null;
  percent: number | null;
  code: string | null;
  error: string | null;
  admittedAt: Date;
  settledAt: Date | null;
}

const columns = sql`
  d.device_id as "deviceId", v.tag, v.name, d.step, ${outcomeOf} as outcome,
  case when t.bundle_id = r.bundle_id then t.state end as state,
  case when t.bundle_id = r.bundle_id then t.percent end as percent,
  d.code, d.error, d.admitted_at as "admittedAt", d.settled_at as "settledAt"`;

const from = sql`
  rollouts r join rollout_devices d on d.project_id = r.project_id and d.rollout_id = r.id and d.admitted_at is not null
  join devices v on v.project_id = d.project_id and v.id = d.device_id ${targetsOfDevices}`;

export async function devicesOf({ db, row, query, page }: Call<typeof listRolloutDevices>) {
  const { outcome, code } = query;
  return pageOf(db, {
    columns,
    from,
    where: sql`r.project_id = ${row.projectId} and r.id = ${row.id}
      ${outcome === undefined ? empty : conditionOn(outcome)}
      ${code === undefined ? empty : sql`and d.code = ${code}`}
      ${page.search ? sql`and ${contains(sql`v.search`, page.search)}` : empty}`,
    orders: { admittedAt: 'd.admitted_at' },
    key: sql`d.device_id`,
    page,
    as: toDevice,
  });
}

/** Most outcomes are an indexed column; those of unsettled devices depend on their targets. */
function conditionOn(outcome: RolloutDevice['outcome']) {
  if (outcome === 'updated') return sql`and ${outcomeOf} = 'updated'`;
  if (outcome === 'waiting' || outcome === 'active')
    return sql`and d.outcome is null and ${outcomeOf} = ${outcome}`;
  return sql`and d.outcome = ${outcome}`;
}

function toDevice({ state, percent, code, error, admittedAt, settledAt, ...row }: Row): RolloutDevice {
  return {
    ...row,
    ...(state !== null && { state }),
    ...(percent !== null && { percent }),
    ...(code !== null && { code }),
    ...(error !== null && { error }),
    admittedAt: admittedAt.toISOString(),
    ...(settledAt && { settledAt: settledAt.toISOString() }),
  };
}
