import { afterEach, expect, test, vi } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();
const fetchHere = globalThis.fetch;
// The console reads its address once, when it loads.
vi.stubGlobal('window', {
  location: { origin: 'https://console.example', pathname: '/orgs/other/projects' },
});
/** Whether the console's calls fail as if there were no server; otherwise the real server answers. */
let isAway = false;
vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
  const isOfConsole = String(input).startsWith('/');
  if (isOfConsole && isAway) return Promise.reject(new TypeError('offline'));
  return fetchHere(isOfConsole ? `${world.url}${String(input)}` : input, init);
});
const { banner } = await import('#console/core/banner.ts');
const { queryClient } = await import('#console/core/client.ts');
const { readCurrentOrganization } = await import('#console/core/organization.ts');
const { endSession, session, startSession, updateDeveloper } = await import('#console/core/session.ts');
const { requireLogin } = await import('./guards.ts');

afterEach(() => {
  isAway = false;
  banner.set(undefined);
  queryClient.clear();
  endSession();
});

async function open(): Promise<unknown> {
  const location = { publicHref: '/orgs/other/projects' };
  return requireLogin({ location, preload: false }).catch((error: unknown) => error);
}

async function signedIn(): Promise<void> {
  const { developer } = await world.aDeveloper();
  startSession({ developer, session: { ttl: 3600, expiresAt: '2099-01-01T00:00:00.000Z' } });
}

test('a session of another organization is sent to the sign-in, with LOGIN_ORG_MISMATCH', async () => {
  await world.platform.db.run(sql`insert into organizations (id, name) values ('other', 'Other')`);
  await signedIn();
  expect(await open()).toMatchObject({ options: { to: '/login' } });
  expect(banner.get()).toHaveProperty('reason', 'LOGIN_ORG_MISMATCH');
});

test('a session opens without waiting if the organization was its own the last time', async () => {
  const { id: org } = await readCurrentOrganization();
  queryClient.clear();
  await signedIn();
  isAway = true;
  expect(await open()).toHaveProperty('reason', 'ORG_LOOKUP_FAILED');
  const kept = session.get();
  if (kept) updateDeveloper({ ...kept.developer, orgId: org });
  expect(await open()).toBeUndefined();
});

test('a failed lookup of the organization is reported as ORG_LOOKUP_FAILED', async () => {
  await signedIn();
  isAway = true;
  expect(await open()).toHaveProperty('reason', 'ORG_LOOKUP_FAILED');
});
