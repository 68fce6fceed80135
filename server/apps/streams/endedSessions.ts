import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Stream } from './stream.ts';

/**
 * Ends the streams whose session ended, whose user was suspended, or whose app was deleted; updates the subscriptions
 * of the others from their apps.
 */
export async function endThoseWithoutSession(
  { db, clock, log }: Platform,
  streams: readonly Stream[],
): Promise<void> {
  if (streams.length === 0) return;
  try {
    const rows = await db.many<{ sessionId: string; subscribedEvents: string[] }>(sql`
      select s.id as "sessionId", a.subscribed_events as "subscribedEvents"
      from unnest(
        ${streams.map(({ listener }) => listener.projectId)}::text[],
        ${streams.map(({ listener }) => listener.sessionId)}::text[]) as asked (project_id, id)
      join user_sessions s on s.project_id = asked.project_id and s.id = asked.id
      join users u on u.project_id = s.project_id and u.id = s.user_id and not u.suspended
      join apps a on a.project_id = s.project_id and a.id = s.app_id
      join projects p on p.id = s.project_id and p.deleted_at is null
      where s.ended_at is null and s.expires_at > ${clock()}`);
    const open = new Map(rows.map(row => [row.sessionId, row]));
    for (const stream of streams) {
      const row = open.get(stream.listener.sessionId);
      if (row) stream.subscribe(row.subscribedEvents);
      else stream.end('ended');
    }
  } catch (error) {
    // While the database is unavailable, there are no events to send either; checked again at the next heartbeat.
    log('warn', 'Sessions of event streams could not be checked', { error: String(error) });
  }
}
