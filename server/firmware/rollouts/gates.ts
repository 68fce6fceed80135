import type { RolloutGate } from '#contract/rollout.ts';
import type { RolloutReport } from '#contract/rolloutReport.ts';
import { gateResultsMin, gateZ, stalledPercent } from '#rules/firmware/gateLimits.ts';
import { difference, hitsAbove, wilson } from '#rules/firmware/wilson.ts';
import { hourMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { type Compared, cameBackUncleanly, compare, wasAway } from './compareDevices.ts';
import type { RolloutRecord } from './store.ts';

type Gates = Pick<RolloutReport, 'failures' | 'presence' | 'reboots' | 'stalled'>;

/** Fewer devices are not significant. */
const comparedMin = 20;
const stalledMin = 5;

/** The state of all gates, including those that the rollout has turned off. */
export async function gatesOf(db: Db, row: RolloutRecord, now: Date): Promise<Gates> {
  const presence = shares(await compare(db, row, wasAway, now));
  const reboots = shares(await compare(db, row, cameBackUncleanly, now));
  const stalled = await stalledOf(db, row, now);
  return {
    failures: await failuresOf(db, row),
    ...(presence && { presence }),
    ...(reboots && { reboots }),
    ...(stalled && { stalled }),
  };
}

async function failuresOf(db: Db, row: RolloutRecord): Promise<Gates['failures']> {
  const seen = await db.one<{ results: number; failures: number }>(sql`
    select count(*)::int as results, count(*) filter (where outcome = 'failed')::int as failures
    from rollout_devices
    where project_id = ${row.projectId} and rollout_id = ${row.id} and settled_at >= ${row.gatesFrom ?? row.createdAt}
      and (outcome = 'updated' or outcome = 'failed' and failure in ('integrity', 'final'))`);
  const { results, failures } = seen ?? { results: 0, failures: 0 };
  const { lower, upper } = wilson(failures, results, gateZ);
  return {
    results,
    failures,
    seen: percent(failures, results),
    threshold: row.failurePercent,
    lower: rounded(lower * 100),
    upper: rounded(upper * 100),
    pausesAt: hitsAbove(row.failurePercent / 100, Math.max(results, gateResultsMin), gateZ),
  };
}

function shares({ updated, others }: Compared): Gates['presence'] {
  if (updated.total < comparedMin || others.total < comparedMin) return undefined;
  return {
    updated: percent(updated.hits, updated.total),
    others: percent(others.hits, others.total),
    isOpen: difference(updated, others, gateZ).lower <= 0,
  };
}

/**
 * For the current step: devices without progress for an hour while connected. A device that waits for consent or a time
 * window is not stalled.
 */
async function stalledOf(db: Db, row: RolloutRecord, now: Date): Promise<Gates['stalled']> {
  const hourAgo = new Date(now.getTime() - hourMs);
  const seen = await db.one<{ total: number; stalled: number }>(sql`
    select count(*) filter (where outcome is not null or is_offered)::int as total,
      count(*) filter (where outcome is null and is_offered and state <> 'ready' and moved_at < ${hourAgo})::int as stalled
    from (
      select d.outcome, t.state, greatest(t.state_at, s.since, e.progress_at, ${row.gatesFrom}) as moved_at,
        t.bundle_id = r.bundle_id and t.offered_at is not null and s.seen_at = 'infinity'
          and t.state not in ('none', 'waiting', 'done', 'failed', 'declined', 'lost') as is_offered
      from rollouts r join rollout_devices d on d.project_id = r.project_id and d.rollout_id = r.id
      left join device_targets t on t.project_id = d.project_id and t.device_id = d.device_id
      left join device_presence s on s.project_id = d.project_id and s.device_id = d.device_id
      left join device_states e on e.project_id = d.project_id and e.device_id = d.device_id
      where r.project_id = ${row.projectId} and r.id = ${row.id} and d.step = r.step and d.admitted_at is not null
    ) of_step`);
  if (!seen || seen.total < stalledMin) return undefined;
  const share = percent(seen.stalled, seen.total);
  return { percent: share, isOpen: share <= stalledPercent };
}

/** The first active gate that is closed, with the cause in words. */
export function closedGate(
  gates: Gates,
  { gates: on }: RolloutRecord,
): { gate: RolloutGate; cause: string } | undefined {
  return on.map(gate => ({ gate, cause: causeOf(gates, gate) })).find(isClosed);
}

const isClosed = (one: {
  gate: RolloutGate;
  cause: string | undefined;
}): one is { gate: RolloutGate; cause: string } => one.cause !== undefined;

function causeOf({ failures, presence, reboots, stalled }: Gates, gate: RolloutGate): string | undefined {
  switch (gate) {
    case 'failures':
      return failures.results >= gateResultsMin && failures.failures >= failures.pausesAt
        ? `${failures.failures} of ${failures.results} updates failed (${shown(failures.seen)} %), which is more than the ${shown(failures.threshold)} % allowed.`
        : undefined;
    case 'presence':
      return presence && !presence.isOpen
        ? `${shown(presence.updated)} % of the updated devices were disconnected ten minutes later; of the others, ${shown(presence.others)} %.`
        : undefined;
    case 'reboots':
      return reboots && !reboots.isOpen
        ? `${shown(reboots.updated)} % of the updated devices lost their connection and came back; of the others, ${shown(reboots.others)} %.`
        : undefined;
    case 'stalled':
      return stalled && !stalled.isOpen
        ? `${shown(stalled.percent)} % of the connected devices that were offered the bundle made no progress for an hour.`
        : undefined;
  }
}

const rounded = (value: number) => Math.round(value * 100) / 100;
const percent = (part: number, of: number) => (of === 0 ? 0 : rounded((part / of) * 100));
const shown = (value: number) => String(Math.round(value * 10) / 10);
