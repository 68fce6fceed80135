import { streamLimits } from '#rules/apps/streamLimits.ts';
import { hashToken, newToken } from '#server/api/sessions/session.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** The user of a stream, with the session and app. */
export interface Listener {
  projectId: string;
  appId: string;
  userId: string;
  sessionId: string;
}

export async function createTicket(
  db: Db,
  { projectId, appId, sessionId }: Listener,
  now: Date,
): Promise<{ ticket: string; expiresAt: string }> {
  const ticket = newToken();
  const expiresAt = new Date(now.getTime() + streamLimits.ticketS * 1000);
  await db.run(sql`
    insert into stream_tickets (project_id, hash, app_id, session_id, expires_at)
    values (${projectId}, ${hashToken(ticket)}, ${appId}, ${sessionId}, ${expiresAt})`);
  return { ticket, expiresAt: expiresAt.toISOString() };
}

/**
 * Uses up a ticket and returns its listener. Undefined if the ticket has expired, was used, or belongs to another app,
 * or if its session has ended.
 */
export async function redeemTicket(
  db: Db,
  { projectId, appId }: Pick<Listener, 'projectId' | 'appId'>,
  ticket: string,
  now: Date,
): Promise<Listener | undefined> {
  const row = await db.one<{ sessionId: string; userId: string }>(sql`
    with used as (
      delete from stream_tickets
      where project_id = ${projectId} and hash = ${hashToken(ticket)} and app_id = ${appId}
      returning session_id, expires_at)
    select s.id as "sessionId", s.user_id as "userId" from used t
    join user_sessions s on s.project_id = ${projectId} and s.id = t.session_id
    join users u on u.project_id = s.project_id and u.id = s.user_id and not u.suspended
    where t.expires_at > ${now} and s.ended_at is null and s.expires_at > ${now}`);
  return row && { projectId, appId, ...row };
}
