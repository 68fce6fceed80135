import type { Me, Tokens } from '#contract/appApi/session.ts';
import { type Client, createClient } from '#contract/client.ts';
import { hashPassword } from '#server/accounts/identity/password.ts';
import { sql } from '#server/infra/db/sql.ts';
import { startUserSession } from '#server/people/sessions/startUserSession.ts';
import { insertUser } from '#server/people/users/userStore.ts';
import { unique, type World } from './world.ts';

export interface CalledApp {
  id: string;
  projectId: string;
}

export interface EndUser {
  id: string;
  email: string;
  name: string;
  me: Me;
  tokens: Tokens;
  /** Signed in: `user.client.call(listMyHomes)`. */
  client: Client;
  /** A fetch with the access token, for requests that no client would send. */
  fetch: typeof fetch;
  /** `http://…/app/v1/thermo@prj_1` */
  baseUrl: string;
}

export const appUrl = ({ url }: Pick<World, 'url'>, app: CalledApp) =>
  `${url}/app/v1/${app.id}@${app.projectId}`;

/** A client without a session. */
export function appClient(world: Pick<World, 'url'>, app: CalledApp): Client {
  return createClient({ baseUrl: appUrl(world, app) });
}

/** A client with this access token. */
export function clientWith(world: Pick<World, 'url'>, app: CalledApp, accessToken: string): Client {
  return createClient({ baseUrl: appUrl(world, app), fetch: fetchWith(accessToken) });
}

function fetchWith(accessToken: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${accessToken}`);
    return fetch(input, { ...init, headers });
  };
}

/**
 * A user who is registered, verified and signed in to the app. A password is set only if given, because hashing it
 * takes time.
 */
export async function anEndUser(
  world: World,
  app: CalledApp,
  given: { name?: string; email?: string; password?: string } = {},
): Promise<EndUser> {
  const { platform } = world;
  const { projectId } = app;
  const { name = 'Mari Kask', email = `${unique('user')}@example.com` } = given;
  const id = platform.newId('usr');
  const now = world.now();
  const passwordHash = given.password === undefined ? undefined : await hashPassword(given.password);
  const created = { id, projectId, email, name, passwordHash, isVerified: true, createdIn: app.id, now };
  if (!(await insertUser(platform.db, created))) throw new Error(`${email} is taken.`);
  const tokens = await signedIn(world, app, id);
  const baseUrl = appUrl(world, app);
  const fetch = fetchWith(tokens.accessToken);
  return {
    id,
    email,
    name,
    me: tokens.user,
    tokens,
    fetch,
    baseUrl,
    client: createClient({ baseUrl, fetch }),
  };
}

/** Another session of a user, as if they had signed in on a second phone. */
export async function signedIn(world: World, { id, projectId }: CalledApp, userId: string): Promise<Tokens> {
  const { platform } = world;
  const app = await platform.db.one<{ ttlS: number }>(sql`
    select user_sessions_ttl_s as "ttlS" from apps where project_id = ${projectId} and id = ${id}`);
  if (!app) throw new Error('There is no such app.');
  return platform.db.tx(db =>
    startUserSession(db, platform, {
      app: { id, projectId, userSessionsTtlS: app.ttlS },
      user: { id: userId },
      deviceName: 'Phone',
      address: '127.0.0.1',
      now: world.now(),
    }),
  );
}
