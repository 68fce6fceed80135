import { type Db, empty, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

interface Ending {
  projectId: string;
  userId: string;
  /** Ends all sessions except this one. */
  keep?: string | undefined;
  /** Ends only this session. */
  only?: string | undefined;
  /** `ended`: by the platform, a developer, or the user from another session. */
  reason: 'signedOut' | 'expired' | 'reused' | 'ended';
}

/**
 * Ends open sessions of a user and returns how many. Call `publishUserSessions` after the commit:
 * `call.afterCommit(() => publishUserSessions(platform, projectId, userId))`. Their refresh tokens stay, so that a refresh
 * can tell how the session ended. What was given in a session that is ended for the user is taken back; it stays when
 * users sign out themselves.
 */
export async function endUserSessions(
  db: Db,
  { clock }: Pick<Platform, 'clock'>,
  { projectId, userId, keep, only, reason }: Ending,
): Promise<number> {
  const isMeant = sql`
    project_id = ${projectId} and user_id = ${userId} ${keep === undefined ? empty : sql`and id <> ${keep}`}
    ${only === undefined ? empty : sql`and id = ${only}`}`;
  const ended = await db.many<{ id: string }>(sql`
    update user_sessions set ended_at = ${clock()}, end_reason = ${reason}
    where ${isMeant} and ended_at is null
    returning id`);
  await db.run(sql`
    delete from user_tokens
    where project_id = ${projectId} and session_id = any(${ended.map(({ id }) => id)}) and kind = 'access'`);
  // Also of sessions that had ended before: whoever had one may have signed out after inviting themselves.
  if (reason === 'ended' || reason === 'reused')
    await db.run(sql`update user_sessions set taken_back = true where ${isMeant} and not taken_back`);
  return ended.length;
}
