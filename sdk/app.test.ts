import { expect, it } from 'vitest';
import { CallFailed } from '#contract/client.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { password, phonesOf } from '#test/phones.ts';
import { until } from '#test/until.ts';
import { unique } from '#test/world.ts';
import { storageHere } from './app/memory.ts';
import type { AppOptions } from './app.ts';

const at = aGatewayWorld();
const { phone, signedIn, aLamp } = phonesOf(at);

it('an app registers, verifies and signs in, and remembers the user', async () => {
  const storage = storageHere();
  const app = await phone({ storage });
  const email = `${unique('mari')}@example.com`;
  await app.register({ email, password, name: 'Mari' });
  const [mail] = await at.world.mailsTo(email);
  const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
  await app.verify({ email, code });
  expect((await app.signIn(email, password)).name).toBe('Mari');
  const later = await phone({ storage });
  expect((await later.user())?.email).toBe(email);
  expect(await later.sessions()).toHaveLength(1);
  await later.signOut();
  expect(await app.user()).toBeUndefined();
  await expect(app.me()).rejects.toMatchObject({ reason: 'NO_USER_SESSION' });
});

it('a command resolves with what the device answers, and rejects with its error', async () => {
  const { lamp, thing } = await aLamp();
  thing.onCommand('blink', async args => ({ blinked: args }));
  thing.onCommand('burn', async () => {
    throw new Error('No matches');
  });
  expect(await lamp.send('blink', 3)).toEqual({ blinked: 3 });
  await expect(lamp.send('burn')).rejects.toThrow('No matches');
});

it('concurrent calls with an expired token refresh it once, and a lost answer does not sign out', async () => {
  const refreshed: string[] = [];
  let isLost = true;
  const losing: AppOptions['fetch'] = async (url, init) => {
    const answer = await fetch(url, init);
    if (!url.endsWith('/sessions/refresh')) return answer;
    refreshed.push(new Headers(init?.headers).get('idempotency-key') ?? '');
    if (isLost) throw new TypeError('The line was cut.');
    return answer;
  };
  const storage = storageHere();
  const { app } = await signedIn({ fetch: losing, storage });
  at.world.pass(hourMs);
  const error = await app.homes().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CallFailed);
  expect(error).toMatchObject({ reason: 'CONNECTION_ERROR' });
  isLost = false;
  const restarted = await phone({ fetch: losing, storage });
  const answers = await Promise.all(Array.from({ length: 10 }, () => restarted.homes()));
  expect(answers).toHaveLength(10);
  expect(refreshed).toHaveLength(2);
  expect(new Set(refreshed).size).toBe(1);
});

it('a user who signs out during a refresh stays signed out', async () => {
  const { promise: signedOut, resolve: goOn } = Promise.withResolvers<void>();
  const slow: AppOptions['fetch'] = async (url, init) => {
    const answer = await fetch(url, init);
    if (url.endsWith('/sessions/refresh')) await signedOut;
    // As without a network: the platform does not receive the call.
    if (url.endsWith('/sessions/current')) throw new TypeError('The line was cut.');
    return answer;
  };
  const { app } = await signedIn({ fetch: slow });
  const refreshing = app.refreshSession();
  await app.signOut();
  goOn();
  await refreshing;
  expect(await app.user()).toBeUndefined();
});

it('a session that was ended elsewhere ends here, and the app is told the reason', async () => {
  const { app, email } = await signedIn();
  const reasons: (string | undefined)[] = [];
  app.onSession(({ reason }) => reasons.push(reason));
  await at.world.platform.db.run(sql`
    update user_sessions s set ended_at = now(), end_reason = 'ended' from users u
    where u.project_id = s.project_id and u.id = s.user_id and u.email = ${email}`);
  at.world.pass(hourMs);
  await expect(app.homes()).rejects.toBeInstanceOf(CallFailed);
  expect(reasons).toEqual(['SESSION_EXPIRED']);
  expect(await app.user()).toBeUndefined();
});

it('calls made before another user signed in are not repeated as that user, and do not sign them out', async () => {
  const gates = {
    '/homes': Promise.withResolvers<void>(),
    '/sessions/current': Promise.withResolvers<void>(),
  };
  const held: string[] = [];
  const slow: AppOptions['fetch'] = async (url, init) => {
    const { pathname } = new URL(url);
    const end = (['/homes', '/sessions/current'] as const).find(one => pathname.endsWith(one));
    const isChange = end !== undefined && init?.method !== 'GET';
    // The request for a home is sent too late, and the answer to the sign-out arrives too late.
    if (isChange && end === '/homes') await gates[end].promise;
    const answer = await fetch(url, init);
    if (isChange) held.push(end);
    if (isChange && end === '/sessions/current') await gates[end].promise;
    return answer;
  };
  const { app } = await signedIn({ fetch: slow });
  const { email } = await signedIn();
  const creating = app.createHome('Of the first', 'Europe/Oslo').catch((thrown: unknown) => thrown);
  const leaving = app.signOut();
  await until(() => held.includes('/sessions/current') || undefined);
  await app.signIn(email, password);
  gates['/homes'].resolve();
  expect(await creating).toMatchObject({ status: 401 });
  gates['/sessions/current'].resolve();
  await leaving;
  expect((await app.user())?.email).toBe(email);
  expect(await app.homes()).toEqual([]);
});
