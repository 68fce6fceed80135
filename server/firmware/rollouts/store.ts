import type { Rollout, RolloutCounts, RolloutGate, RolloutRow, RolloutState } from '#contract/rollout.ts';
import type { Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { type Db, empty, type Sql, sql } from '#server/infra/db/sql.ts';
import { shownCounts } from './counts.ts';
import { followsChannel, isChangedByIt, placeBelow } from './eligible.ts';

/** A step as stored: with its times, but without its number of devices. */
export type StoredStep = Omit<Rollout['steps'][number], 'devices'>;

export interface RolloutRecord {
  id: string;
  projectId: string;
  deviceClass: string;
  channel: { id: string; name: string };
  bundle: Rollout['bundle'];
  fromBundle: Rollout['bundle'] | null;
  state: RolloutState;
  rollsBack: string | null;
  steps: StoredStep[];
  step: number;
  stepStartedAt: Date | null;
  settledAt: Date | null;
  rate: number | null;
  delayS: number;
  soakS: number;
  failurePercent: number;
  gates: RolloutGate[];
  gatesFrom: Date | null;
  leavesOutDowngrades: boolean;
  waitsFrom: Date | null;
  pausedBy: 'person' | RolloutGate | null;
  pauser: { id: string; name: string } | null;
  pauseCause: string | null;
  createdBy: { id: string; name: string } | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  revision: number;
}

/** A bundle that has been deleted keeps the name it had when the rollout was created. */
const bundleRef = (bundle: Sql, id: Sql, name: Sql) => sql`
  json_strip_nulls(json_build_object('id', ${id}, 'name', coalesce(${bundle}.name, ${name}),
    'isDeleted', case when ${bundle}.id is null then true end))`;

/** A step without devices is not soaked. */
const startsWaiting = sql`case when r.state = 'running' and r.settled_at is not null
    and r.steps -> (r.step + 1) ->> 'startsBy' = 'hand'
  then r.settled_at + case when exists (select from rollout_devices a where a.project_id = r.project_id
    and a.rollout_id = r.id and a.step = r.step and a.admitted_at is not null) then r.soak_s else 0 end * interval '1 s' end`;

const whoPaused = sql`case when r.state = 'paused' and r.paused_by = 'person' then (
  select json_build_object('id', e.actor_id, 'name', e.actor_name) from rollout_events e
  where e.project_id = r.project_id and e.rollout_id = r.id and e.kind = 'paused' and e.actor_id is not null
  order by e.at desc, e.id desc limit 1) end`;

const columns = sql`
  r.id, r.project_id as "projectId", r.device_class as "deviceClass",
  json_build_object('id', c.id, 'name', c.name) as channel,
  ${bundleRef(sql`b`, sql`r.bundle_id`, sql`r.bundle_name`)} as bundle,
  case when r.from_bundle_id is not null
    then ${bundleRef(sql`f`, sql`r.from_bundle_id`, sql`r.from_bundle_name`)} end as "fromBundle",
  r.state, r.rolls_back as "rollsBack", r.steps, r.step, r.step_started_at as "stepStartedAt",
  r.settled_at as "settledAt", r.rate, r.delay_s as "delayS", r.soak_s as "soakS",
  r.failure_percent as "failurePercent", r.gates, r.gates_from as "gatesFrom",
  r.leaves_out_downgrades as "leavesOutDowngrades", ${startsWaiting} as "waitsFrom", r.paused_by as "pausedBy", ${whoPaused} as pauser,
  r.pause_cause as "pauseCause",
  case when r.created_by is not null
    then json_build_object('id', r.created_by, 'name', r.created_by_name) end as "createdBy",
  r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt", r.revision`;

const from = sql`
  rollouts r join channels c on c.project_id = r.project_id and c.id = r.channel_id
  left join bundles b on b.project_id = r.project_id and b.id = r.bundle_id
  left join bundles f on f.project_id = r.project_id and f.id = r.from_bundle_id`;

declare module '#server/api/access/access.ts' {
  interface Rows {
    rollout: RolloutRecord;
  }
}

/** A rollout's id is unique across projects, so it identifies its project as well. */
export const rolloutResource: Resource<RolloutRecord> = {
  notFound: 'ROLLOUT_NOT_FOUND',
  find: (db, { rolloutId = '' }, caller) =>
    findInProject<RolloutRecord>(db, caller, { columns, from, alias: 'r', where: sql`r.id = ${rolloutId}` }),
};

/** Locks the rollout until the transaction ends. With `skipLocked`, undefined if another transaction has locked it. */
export function lockRollout(
  db: Db,
  { projectId, rolloutId }: { projectId: string; rolloutId: string },
  { skipLocked = false } = {},
): Promise<RolloutRecord | undefined> {
  return db.one<RolloutRecord>(sql`
    select ${columns} from ${from} join projects p on p.id = r.project_id and p.deleted_at is null
    where r.project_id = ${projectId} and r.id = ${rolloutId}
    for no key update of r ${skipLocked ? sql`skip locked` : empty}`);
}

type ListedRecord = RolloutRecord & { counts: RolloutCounts };

export async function rolloutsOf(
  db: Db,
  asked: { projectId: string; channelId?: string | undefined; state?: string | undefined },
  page: PageAsked,
): Promise<{ items: RolloutRow[]; total: number }> {
  const { channelId, state } = asked;
  return pageOf(db, {
    columns: sql`${columns}, ${shownCounts}`,
    from,
    where: sql`r.project_id = ${asked.projectId}
      ${channelId === undefined ? empty : sql`and r.channel_id = ${channelId}`}
      ${state === undefined ? empty : state === 'unfinished' ? isUnfinished : sql`and r.state = ${state}`}
      ${page.search ? sql`and ${contains(searched, page.search)}` : empty}`,
    orders: { createdAt: 'r.created_at' },
    key: sql`r.id`,
    page,
    as: toRow,
  });
}

const searched = sql`search_text(r.id || ' ' || c.name || ' ' || coalesce(b.name, r.bundle_name))`;
const isUnfinished = sql`and r.state in ('draft', 'running', 'paused')`;

function toRow(row: ListedRecord): RolloutRow {
  const { id, deviceClass, channel, bundle, state, step, createdAt, steps, counts } = row;
  return {
    id,
    deviceClass,
    channel,
    bundle,
    state,
    step,
    counts,
    stepCount: steps.length,
    ...optional(row),
    createdAt: createdAt.toISOString(),
  };
}

/** The optional fields of a rollout, as the API shows them. */
function optional(row: RolloutRecord) {
  const { fromBundle, settledAt, waitsFrom, pausedBy, pauser, pauseCause, createdBy, startedAt, finishedAt } =
    row;
  return {
    ...(fromBundle && { fromBundle }),
    ...(settledAt && { settledAt: settledAt.toISOString() }),
    ...(waitsFrom && { waitsFrom: waitsFrom.toISOString() }),
    ...(pauser && { pauser }),
    ...(pausedBy && { pausedBy }),
    ...(pauseCause !== null && { pauseCause }),
    ...(createdBy && { createdBy }),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
  };
}

export async function countsOf(
  db: Db,
  { projectId, id }: Pick<RolloutRecord, 'projectId' | 'id'>,
): Promise<RolloutCounts> {
  const counted = await db.one<{ counts: RolloutCounts }>(sql`
    select ${shownCounts} from rollouts r where r.project_id = ${projectId} and r.id = ${id}`);
  if (!counted) throw new Error('A rollout that was found is gone.');
  return counted.counts;
}

/** A rollout with its counts, and the number of devices within each step. */
export async function readOut(db: Db, row: RolloutRecord): Promise<Rollout> {
  const devices = await devicesWithin(db, row);
  const { id, projectId, deviceClass, channel, bundle, state, step, revision, rollsBack } = row;
  const { rate, delayS, soakS, failurePercent, gates, leavesOutDowngrades } = row;
  return {
    id,
    projectId,
    deviceClass,
    channel,
    bundle,
    state,
    step,
    revision,
    rate,
    delayS,
    soakS,
    failurePercent,
    gates,
    leavesOutDowngrades,
    ...optional(row),
    ...(rollsBack !== null && { rollsBack }),
    steps: row.steps.map((one, at) => ({ ...one, devices: devices[at] ?? 0 })),
    ...(row.stepStartedAt && { stepStartedAt: row.stepStartedAt.toISOString() }),
    counts: await countsOf(db, row),
    createdAt: row.createdAt.toISOString(),
  };
}

/** The number of devices by the end of each step. For a rollout that has ended, the devices that it admitted. */
async function devicesWithin(db: Db, { projectId, id, state, steps }: RolloutRecord): Promise<number[]> {
  const percents = steps.map(({ percent }) => percent);
  const isOver = !['draft', 'running', 'paused'].includes(state);
  const rows = await db.many<{ at: number; devices: number }>(
    isOver
      ? sql`select step as at, count(*)::int as devices from rollout_devices
          where project_id = ${projectId} and rollout_id = ${id} and admitted_at is not null group by step`
      : sql`
          select least(coalesce(a.step, w.at), w.at) as at, count(*)::int as devices
          from rollouts r join channels c on c.project_id = r.project_id and c.id = r.channel_id
          join devices d on ${followsChannel}
          left join device_targets t on t.project_id = d.project_id and t.device_id = d.id
          left join rollout_devices a on a.project_id = r.project_id and a.rollout_id = r.id and a.device_id = d.id
          cross join lateral (
            select min(at)::int - 1 as at from unnest(${percents}::float8[]) with ordinality as p (percent, at)
            where ${placeBelow(sql`p.percent`)}) w
          where r.project_id = ${projectId} and r.id = ${id} and (a.device_id is not null or ${isChangedByIt})
          group by 1`,
  );
  return steps.map((_, step) =>
    rows.filter(({ at }) => at <= step).reduce((total, { devices }) => total + devices, 0),
  );
}
