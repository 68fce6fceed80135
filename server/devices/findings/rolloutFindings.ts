import { causesShownMax, type Finding } from '#contract/finding.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

interface Row {
  id: string;
  channelId: string;
  bundle: string;
  channel: string;
  isPaused: boolean;
  pausedBy: string | null;
  cause: string | null;
  /** Who paused it by hand. */
  actor: string | null;
  step: number;
  steps: { percent: number }[];
  at: Date;
}

/**
 * One finding for each rollout that stands still: paused by a gate or a person, and then those whose next step waits for a
 * person. A rollout that goes on needs no attention.
 */
export async function rolloutFindings(db: Db, projectId: string, now: Date): Promise<Finding[]> {
  const rows = await db.many<Row>(sql`
    select r.id, r.channel_id as "channelId", b.name as bundle, c.name as channel, r.state = 'paused' as "isPaused",
      r.paused_by as "pausedBy", r.pause_cause as cause, e.actor_name as actor, r.step, r.steps,
      coalesce(e.at, r.settled_at + r.soak_s * interval '1 s', r.created_at) as at
    from rollouts r join channels c on c.project_id = r.project_id and c.id = r.channel_id
    join bundles b on b.project_id = r.project_id and b.id = r.bundle_id
    left join lateral (
      select e.at, e.actor_name from rollout_events e
      where r.state = 'paused' and e.project_id = r.project_id and e.rollout_id = r.id and e.kind = 'paused'
      order by e.at desc, e.id desc limit 1) e on true
    where r.project_id = ${projectId} and (r.state = 'paused'
      or r.state = 'running' and r.settled_at + r.soak_s * interval '1 s' <= ${now}
        and r.steps -> (r.step + 1) ->> 'startsBy' = 'hand')
    order by r.state, at desc, r.id limit ${causesShownMax}`);
  return rows.map(({ id, channelId, at, ...row }) => ({
    id: `rollout:${id}`,
    signal: 'rollout',
    count: 1,
    since: at.toISOString(),
    at: at.toISOString(),
    devices: [],
    rollout: { id, channelId, ...standOf(row) },
    causes: [{ text: sentence(row), count: 1 }],
    common: [],
  }));
}

type Stand = Omit<Row, 'id' | 'channelId' | 'at'>;

function standOf({ bundle, channel, isPaused, pausedBy, cause, actor, step, steps }: Stand) {
  return {
    bundle,
    channel,
    isPaused,
    step,
    stepCount: steps.length,
    ...(pausedBy === 'person' && { pausedBy: actor || 'a person' }),
    ...(cause && { cause }),
  };
}

function sentence({ bundle, channel, isPaused, pausedBy, cause, actor, step, steps }: Stand): string {
  const rollout = `${bundle} to ${channel}`;
  if (!isPaused)
    return `${rollout}: step ${step + 1} of ${steps.length} has settled, step ${step + 2} takes ${steps[step + 1]?.percent} %`;
  if (pausedBy !== 'person') return `${rollout}: ${cause ?? 'a gate has closed.'}`;
  return `${rollout}: paused by ${actor || 'a person'}${cause ? `, “${cause}”` : ''}`;
}
