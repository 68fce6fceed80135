import { type Client, createClient } from '#contract/client.ts';
import { sql } from '#server/db/sql.ts';
import { hashToken, newToken } from '#server/sessions/session.ts';
import { unique, type World } from './world.ts';

/** An end user with a session in an app, straight into the tables: for tests that are not about how users get in. */
export interface AppUser {
  id: string;
  email: string;
  token: string;
  client: Client;
}

/** An app to sign in to. */
export async function someApp({ platform }: World, projectId: string, id = unique('app')): Promise<string> {
  await platform.db.run(sql`
    insert into apps (project_id, id, user_sessions_ttl_s, created_at)
    values (${projectId}, ${id}, 86400, ${platform.clock()})`);
  return id;
}

interface AppUserGiven {
  projectId: string;
  appId: string;
  name?: string;
  email?: string;
}

export async function anAppUser(world: World, given: AppUserGiven): Promise<AppUser> {
  const { projectId, appId, name = 'Uma', email = `${unique('user')}@example.com` } = given;
  const { db, newId, clock } = world.platform;
  const [id, token, now] = [newId('usr'), newToken(), clock()];
  const later = new Date(now.getTime() + 86_400_000);
  await db.run(sql`
    with person as (
      insert into users (project_id, id, email, name, verified_at, created_at)
      values (${projectId}, ${id}, ${email}, ${name}, ${now}, ${now}) returning *),
    session as (
      insert into user_sessions
        (project_id, id, user_id, app_id, address, created_at, proved_at, last_seen_at, expires_at)
      select project_id, ${newId('uss')}, id, ${appId}, '127.0.0.1', ${now}, ${now}, ${now}, ${later} from person
      returning *)
    insert into user_tokens (hash, project_id, session_id, kind, expires_at)
    select ${hashToken(token)}, project_id, id, 'access', ${later} from session`);
  const authorized: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  const baseUrl = `${world.url}/app/v1/${appId}@${projectId}`;
  return { id, email, token, client: createClient({ baseUrl, fetch: authorized }) };
}
