import { createApp } from '#contract/app.ts';
import { hashToken, newToken } from '#server/api/sessions/session.ts';
import { type Database, sql } from '#server/infra/db/sql.ts';
import type { Newcomer } from '#test/newcomer.ts';

/**
 * The token of an end user in the app `bench`. Inserted directly into the tables, because tokens do not depend on the
 * server's key.
 */
export async function anAccessToken(db: Database, { client }: Newcomer, projectId: string): Promise<string> {
  await client.call(createApp, { params: { projectId }, body: { id: 'bench' } });
  const token = newToken();
  await db.run(sql`
    with person as (
      insert into users (project_id, id, email, verified_at, created_at)
      values (${projectId}, 'usr_bench', 'user@example.com', now(), now()) returning *),
    open as (
      insert into user_sessions (project_id, id, user_id, app_id, address, created_at, proved_at, last_seen_at, expires_at)
      select project_id, 'uss_bench', id, 'bench', '127.0.0.1', now(), now(), now(), now() + interval '1 day' from person
      returning *)
    insert into user_tokens (hash, project_id, session_id, kind, expires_at)
    select ${hashToken(token)}, project_id, id, 'access', expires_at from open`);
  return token;
}
