import { createApp } from '#contract/app.ts';
import type { Client } from '#contract/client.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { createProject } from '#contract/project.ts';
import { hashToken, newToken } from '#server/api/sessions/session.ts';
import { type Database, sql } from '#server/infra/db/sql.ts';

/** A project with homes, each with a device and signed-in members. */
export interface Homes {
  projectId: string;
  appId: string;
  deviceIds: string[];
  /** Access tokens: those of the members of the first home, then those of the second, and so on. */
  tokens: string[];
}

const appId = 'bench';

/** Inserted directly into the tables, because a hundred thousand sign-ins would be a benchmark of their own. */
export async function seedHomes(
  db: Database,
  client: Client,
  { homes, members }: { homes: number; members: number },
): Promise<Homes> {
  const { id: projectId } = await client.call(createProject, { body: { name: `${homes} homes` } });
  const params = { projectId };
  await client.call(createApp, { params, body: { id: appId } });
  await client.call(createDeviceClass, { params, body: { id: 'bench' } });
  // Ids must be unique in the whole database.
  const own = projectId.slice(-8);
  const tokens = Array.from({ length: homes * members }, newToken);
  await db.run(sql`
    insert into users (project_id, id, email, name, verified_at, created_at)
    select ${projectId}, 'usr_' || ${own} || n, n || '@example.com', 'User ' || n, now(), now()
    from generate_series(1, ${tokens.length}::int) n`);
  await db.run(sql`
    with open as (
      insert into user_sessions (project_id, id, user_id, app_id, address, created_at, proved_at, last_seen_at, expires_at)
      select ${projectId}, 'uss_' || ${own} || n, 'usr_' || ${own} || n, ${appId}, '127.0.0.1', now(), now(), now(),
        now() + interval '1 day'
      from generate_series(1, ${tokens.length}::int) n returning id)
    insert into user_tokens (hash, project_id, session_id, kind, expires_at)
    select t.hash, ${projectId}, 'uss_' || ${own} || t.n, 'access', now() + interval '1 day'
    from unnest(${tokens.map(hashToken)}::bytea[]) with ordinality as t (hash, n) join open o on o.id = 'uss_' || ${own} || t.n`);
  const deviceIds = Array.from({ length: homes }, (_, n) => `dev_${own}${n + 1}`);
  await db.run(sql`
    with made as (
      insert into homes (project_id, name, time_zone, active, created_at)
      select ${projectId}, n::text, 'Europe/Oslo', true, now() from generate_series(1, ${homes}::int) n
      returning id, name::int as n),
    joined as (
      insert into home_members (project_id, home_id, user_id, role, joined_at)
      select ${projectId}, h.id, 'usr_' || ${own} || ((h.n - 1) * ${members}::int + m),
        case when m = 1 then 'owner' else 'member' end, now()
      from made h cross join generate_series(1, ${members}::int) m returning 1)
    insert into devices (project_id, id, device_class, home_id, owned_since, claimed_how, key_hash, key_end, created_at)
    select ${projectId}, 'dev_' || ${own} || n, 'bench', id, now() - interval '1 minute', 'claim', ''::bytea, '',
      now() from made`);
  await db.run(sql`analyze users, user_sessions, user_tokens, homes, home_members, devices`);
  return { projectId, appId, deviceIds, tokens };
}

/** Stores events of devices in one transaction, as the gateway does. */
export async function happen(
  db: Database,
  projectId: string,
  deviceIds: readonly string[],
  payload: (deviceId: string) => unknown,
): Promise<void> {
  await db.run(sql`
    insert into device_events (project_id, device_id, ts, id, name, payload)
    select ${projectId}, e.id, now(), 'evt_' || gen_random_uuid(), 'bench', e.payload::json
    from unnest(${[...deviceIds]}::text[], ${deviceIds.map(id => JSON.stringify(payload(id)))}::text[]) as e (id, payload)`);
}
