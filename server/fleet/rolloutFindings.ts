import type { Finding } from '#contract/fleet.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** The most rollouts shown; each channel has at most one unfinished rollout. */
const shownMax = 20;

interface Row {
  id: string;
  channelId: string;
  bundle: string;
  channel: string;
  isPaused: boolean;
  cause: string | null;
  step: number;
  steps: { percent: number }[];
  at: Date;
}

/** One finding for each rollout that is running or was paused by a gate, paused ones first. */
export async function rolloutFindings(db: Db, projectId: string): Promise<Finding[]> {
  const rows = await db.many<Row>(sql`
    select r.id, r.channel_id as "channelId", b.name as bundle, c.name as channel, r.state = 'paused' as "isPaused", r.pause_cause as cause, r.step, r.steps,
      coalesce(case when r.state = 'paused' then (
        select e.at from rollout_events e where e.project_id = r.project_id and e.rollout_id = r.id
        order by e.at desc, e.id desc limit 1) end, r.step_started_at, r.created_at) as at
    from rollouts r join channels c on c.project_id = r.project_id and c.id = r.channel_id
    join bundles b on b.project_id = r.project_id and b.id = r.bundle_id
    where r.project_id = ${projectId} and (r.state = 'running' or r.state = 'paused' and r.paused_by <> 'person')
    order by r.state, r.created_at desc, r.id limit ${shownMax}`);
  return rows.map(({ id, channelId, at, ...row }) => ({
    ...{ signal: 'rollout', count: 1, at: at.toISOString(), devices: [] },
    rollout: { id, channelId, isPaused: row.isPaused },
    causes: [{ text: sentence(row), count: 1 }],
  }));
}

function sentence({
  bundle,
  channel,
  isPaused,
  cause,
  step,
  steps,
}: Omit<Row, 'id' | 'channelId' | 'at'>): string {
  const rollout = `${bundle} to ${channel}`;
  if (isPaused) return `${rollout}: ${cause ?? 'a gate has closed.'}`;
  return `${rollout}: step ${step + 1} of ${steps.length}, ${steps[step]?.percent} %`;
}
