import { sql } from '#server/db/sql.ts';
import type { CalledApp, UserCaller } from '#server/endpoints/apiDoor.ts';
import type { Platform } from '#server/platform.ts';
import { hashToken } from '#server/sessions/session.ts';

/** The end user whose access token it is, in this app; undefined once the session ended or the user was suspended. */
export function findUserSession(
  { db }: Platform,
  app: CalledApp,
  { token, now }: { token: string; now: Date },
): Promise<UserCaller | undefined> {
  return db.one<UserCaller>(sql`
    select u.id, u.name, u.email, u.verified_at is not null as verified, s.id as "sessionId",
      s.proved_at as "provedAt"
    from user_tokens t
    join user_sessions s on s.project_id = t.project_id and s.id = t.session_id
    join users u on u.project_id = s.project_id and u.id = s.user_id
    where t.hash = ${hashToken(token)} and t.kind = 'access' and t.expires_at > ${now}
      and s.project_id = ${app.projectId} and s.app_id = ${app.id} and s.ended_at is null and s.expires_at > ${now}
      and not u.suspended`);
}
