import { afterEach, expect, test, vi } from 'vitest';
import { editDeveloper, logIn, logOut } from '#contract/account.ts';
import { failing } from '#test/failing.ts';
import { until } from '#test/until.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();
const fetchHere = globalThis.fetch;
let owner: SignedIn;
vi.stubGlobal('window', { location: { origin: 'https://console.example', pathname: '/account' } });
/** What the server answers instead. */
let refusal: (() => Promise<Response>) | undefined;
vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
  refusal
    ? refusal()
    : input.startsWith('/')
      ? owner.fetch(`${world.url}${input}`, init)
      : fetchHere(input, init),
);
const { call } = await import('./client.ts');
const { banner } = await import('./banner.ts');
const { waitingForProof } = await import('./passwordProof.ts');
const { endSession, session, startSession } = await import('./session.ts');
const { registerUnsaved } = await import('./unsaved.ts');

let forget = () => {};
afterEach(() => {
  refusal = undefined;
  banner.set(undefined);
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
  asked.done('proven');
  expect(await saving).toHaveProperty('name', 'Typed');
});

test('a developer who does not sign in again is signed out', async () => {
  const saving = typing();
  (await until(() => waitingForProof.get())).done('given up');
  await failing(saving, 'NO_LOGIN');
  expect(session.get()).toBeUndefined();
});

test('if nobody could be asked to sign in again, the call fails and the page keeps what was typed', async () => {
  const saving = typing();
  (await until(() => waitingForProof.get())).done('unavailable');
  await failing(saving, 'NO_LOGIN');
  expect(session.get()).toBeDefined();
});

const refused = (status: number, reason: string) => Response.json({ reason, message: reason }, { status });
const signedIn = async () => {
  owner = await world.aDeveloper();
  const { developer } = owner;
  startSession({ developer, session: { ttl: 3600, expiresAt: '2099-01-01T00:00:00.000Z' } });
  return { params: { developerId: developer.id }, body: { name: 'Typed' } };
};

test('a call that is refused because of another organization leads to the sign-in and says why', async () => {
  const input = await signedIn();
  refusal = async () => refused(403, 'LOGIN_ORG_MISMATCH');
  await failing(call(editDeveloper, input), 'LOGIN_ORG_MISMATCH');
  expect(session.get()).toBeUndefined();
  expect(banner.get()).toHaveProperty('reason', 'LOGIN_ORG_MISMATCH');
});

test('a late answer about a session that has ended does not end the session of the next person', async () => {
  const input = await signedIn();
  const answer = Promise.withResolvers<Response>();
  const asked = Promise.withResolvers<void>();
  refusal = () => {
    asked.resolve();
    return answer.promise;
  };
  const calling = call(editDeveloper, input);
  await asked.promise;
  refusal = undefined;
  await signedIn();
  answer.resolve(refused(401, 'NO_LOGIN'));
  await failing(calling, 'NO_LOGIN');
  expect(session.get()?.developer.id).toBe(owner.developer.id);
});
