import { afterEach, expect, test, vi } from 'vitest';
import { editDeveloper, logIn, logOut } from '#contract/account.ts';
import { failing } from '#test/failing.ts';
import { until } from '#test/until.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();
const fetchHere = globalThis.fetch;
let owner: SignedIn;
vi.stubGlobal('window', { location: { origin: 'https://console.example', pathname: '/account' } });
vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
  input.startsWith('/') ? owner.fetch(`${world.url}${input}`, init) : fetchHere(input, init),
);
const { call } = await import('./api.ts');
const { waitingForProof } = await import('./passwordProof.ts');
const { endSession, session, startSession } = await import('./session.ts');
const { registerUnsaved } = await import('./unsaved.ts');

let forget = () => {};
afterEach(() => {
  forget();
  endSession();
});

/** There are unsaved changes, and the session has ended on the server. */
async function typing(): Promise<Promise<{ name: string }>> {
  owner = await world.aDeveloper();
  const { developer } = owner;
  startSession({ developer, session: { ttl: 3600, expiresAt: '2099-01-01T00:00:00.000Z' } });
  forget = registerUnsaved(async () => true);
  await owner.client.call(logOut);
  return call(editDeveloper, { params: { developerId: developer.id }, body: { name: 'Typed' } });
}

test('unsaved changes are saved after signing in again on the same screen', async () => {
  const saving = typing();
  const asked = await until(() => waitingForProof.get());
  expect(asked.why).toBe('ended');
  const { email, password } = owner;
  await call(logIn, { body: { email, password, orgId: 'default' } });
  asked.done(true);
  expect(await saving).toHaveProperty('name', 'Typed');
});

test('a developer who does not sign in again is signed out', async () => {
  const saving = typing();
  (await until(() => waitingForProof.get())).done(false);
  await failing(saving, 'NO_LOGIN');
  expect(session.get()).toBeUndefined();
});
