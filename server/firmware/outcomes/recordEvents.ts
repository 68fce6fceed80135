import { type Db, sql } from '#server/infra/db/sql.ts';
import { newId } from '#server/infra/ids.ts';

export interface RolloutEvent {
  projectId: string;
  rolloutId: string;
  kind: string;
  text: string;
  /** Absent for the platform. */
  actor?: { id: string; name: string } | undefined;
  at: Date;
}

/** Adds events to the history of rollouts. */
export async function recordEvents(db: Db, events: readonly RolloutEvent[]): Promise<void> {
  if (events.length === 0) return;
  await db.run(sql`
    insert into rollout_events (project_id, rollout_id, id, at, kind, text, actor_id, actor_name)
    select * from unnest(
      ${events.map(one => one.projectId)}::text[], ${events.map(one => one.rolloutId)}::text[],
      ${events.map(one => newId('rev', one.at.getTime()))}::text[], ${events.map(one => one.at)}::timestamptz[],
      ${events.map(one => one.kind)}::text[], ${events.map(one => one.text)}::text[],
      ${events.map(one => one.actor?.id ?? null)}::text[], ${events.map(one => one.actor?.name ?? '')}::text[])`);
}
