import { type Db, sql } from '#server/infra/db/sql.ts';
import { type RolloutEvent, recordEvents } from './recordEvents.ts';

/**
 * Ends the rollouts of a channel that still decide what devices run: the unfinished one, and stopped ones, whose
 * updated devices keep their bundle until the channel moves on. Called when a channel is pointed at another bundle, in
 * the same transaction and before its devices are retargeted, so that they all follow the channel.
 */
export async function supersedeRollouts(
  db: Db,
  channel: { projectId: string; channelId: string },
  { now, actor, text }: { now: Date; actor?: RolloutEvent['actor']; text: string },
): Promise<void> {
  const ended = await db.many<{ id: string; state: string }>(sql`
    with before as (
      select project_id, id, state from rollouts
      where project_id = ${channel.projectId} and channel_id = ${channel.channelId}
        and state in ('draft', 'running', 'paused', 'stopped')
      order by id for update)
    update rollouts r set state = 'superseded', finished_at = coalesce(r.finished_at, ${now}), revision = r.revision + 1
    from before b where r.project_id = b.project_id and r.id = b.id
    returning r.id, b.state`);
  const events = ended
    .filter(({ state }) => state !== 'stopped')
    .map(({ id }) => ({
      projectId: channel.projectId,
      rolloutId: id,
      kind: 'superseded',
      text,
      actor,
      at: now,
    }));
  await recordEvents(db, events);
}
