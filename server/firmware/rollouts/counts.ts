import type { RolloutCounts } from '#contract/rollout.ts';
import { saveFinalCounts } from '#server/firmware/outcomes/rolloutRows.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';
import { daysBefore } from '#server/infra/jobs/housekeeping.ts';
import type { Platform } from '#server/infra/platform.ts';

/** The states of an unfinished update, by the count they belong to. */
const shownAs = {
  offered: ['offered', 'accepted'],
  downloading: ['downloading'],
  verifying: ['verifying'],
  ready: ['ready'],
  installing: ['installing'],
  rebooting: ['rebooting', 'confirming'],
};

/**
 * Whether an unsettled device has been disconnected since it was admitted; `r`, `t`: the rollout and the device's
 * target.
 */
const isWaiting = sql`
  (s.seen_at is distinct from 'infinity' and (t.bundle_id is distinct from r.bundle_id or t.state in ('none', 'waiting')))`;

/**
 * The outcome for a device of a rollout. A finished rollout leaves its last devices to the channel, so their outcome is
 * in their targets.
 */
export const outcomeOf = sql`
  coalesce(d.outcome, case when t.bundle_id = r.bundle_id and t.state = 'done' then 'updated'
    when ${isWaiting} then 'waiting' else 'active' end)`;

/** Joins target and presence to the devices `d` of a rollout `r`. */
export const targetsOfDevices = sql`
  left join device_targets t on t.project_id = d.project_id and t.device_id = d.device_id
  left join device_presence s on s.project_id = d.project_id and s.device_id = d.device_id`;

const ofOutcome = (outcome: string) => sql`coalesce(sum(n) filter (where outcome = ${outcome}), 0)::int`;
const ofState = (states: string[]) =>
  sql`coalesce(sum(n) filter (where outcome = 'active' and state = any(${states})), 0)::int`;

/** The counts of a rollout `r` as JSON, from one statement, so that they add up. Settled devices need no join. */
const counted: Sql = sql`(
  select json_build_object(
    'admitted', coalesce(sum(n), 0)::int, 'updated', ${ofOutcome('updated')}, 'active', ${ofOutcome('active')},
    'waiting', ${ofOutcome('waiting')}, 'failed', ${ofOutcome('failed')}, 'unable', ${ofOutcome('unable')},
    'declined', ${ofOutcome('declined')}, 'left', ${ofOutcome('left')},
    'offered', ${ofState(shownAs.offered)}, 'downloading', ${ofState(shownAs.downloading)},
    'verifying', ${ofState(shownAs.verifying)}, 'ready', ${ofState(shownAs.ready)},
    'installing', ${ofState(shownAs.installing)}, 'rebooting', ${ofState(shownAs.rebooting)})
  from (
    select d.outcome, null as state, count(*) as n from rollout_devices d
    where d.project_id = r.project_id and d.rollout_id = r.id and d.admitted_at is not null and d.outcome is not null
    group by d.outcome
    union all
    select ${outcomeOf}, case when t.bundle_id = r.bundle_id then t.state end, count(*)
    from rollout_devices d ${targetsOfDevices}
    where d.project_id = r.project_id and d.rollout_id = r.id and d.admitted_at is not null and d.outcome is null
    group by 1, 2) by_outcome)`;

/** The counts that lists and details show: those of an ended rollout are kept once nothing changes them. */
export const shownCounts = sql`coalesce(r.final_counts::json, ${counted}) as counts`;

/** After so many days, the devices that never came back no longer keep the counts from being kept. */
const waitedForDays = 30;
const rolloutsMax = 500;

/** Keeps the counts of rollouts that have ended and in which no device is left to finish, so that lists stay fast. */
export async function storeCounts({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const waitedSince = daysBefore(clock(), waitedForDays);
  const ended = await db.many<{ projectId: string; id: string; isOld: boolean }>(sql`
    select r.project_id as "projectId", r.id, r.finished_at < ${waitedSince} as "isOld"
    from rollouts r join projects p on p.id = r.project_id and p.deleted_at is null
    where r.final_counts is null and r.finished_at is not null
    order by r.finished_at limit ${rolloutsMax}`);
  for (const { projectId, id, isOld } of ended)
    await db.tx(async tx => {
      const row = await tx.one<{ counts: RolloutCounts }>(sql`
        select ${counted} as counts from rollouts r
        where r.project_id = ${projectId} and r.id = ${id} and r.final_counts is null for no key update`);
      if (row && (isOld || row.counts.active + row.counts.waiting === 0))
        await saveFinalCounts(tx, { projectId, id }, row.counts);
    });
}
