import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '#contract/client.ts';
import { readLogEntries } from '#contract/log.ts';
import { sql } from '#server/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { appClient } from '#test/endUsers.ts';
import { aHostileProvider, type HostileProvider } from '#test/hostileProvider.ts';
import { type Asked, decentClaims, lies } from '#test/hostileTokens.ts';
import { appRedirect, begin, finish, followBack } from '#test/methodSignIns.ts';
import { signIns } from '#test/signIns.ts';
import { minuteMs } from '#test/world.ts';

const { at, aMethod } = signIns();
let hostile: HostileProvider;
let methodId: string;
let phone: Client;
beforeAll(async () => {
  hostile = await aHostileProvider();
  methodId = await aMethod({ issuer: hostile.issuer });
  phone = appClient(at.world, await anApp(at.owner, at.project.id, { redirects: [appRedirect] }));
});
afterAll(() => hostile[Symbol.asyncDispose]());

/** A sign-in that comes back from the provider with this ID token. */
async function comeBack(token: (asked: Asked) => string, more: Record<string, string> = {}) {
  const begun = await begin(phone, methodId);
  const { searchParams } = new URL(begun.signInUrl);
  const nowS = Math.floor(at.world.now().getTime() / 1000);
  const idToken = token({ nonce: searchParams.get('nonce') ?? '', nowS });
  hostile.tokens = () => ({ access_token: 'a', token_type: 'bearer', id_token: idToken });
  const query = new URLSearchParams({ state: searchParams.get('state') ?? '', code: 'c', ...more });
  const back = await followBack(`${at.world.url}/api/userAuth/callback/${methodId}?${query}`);
  return { begun, back };
}

/** What the project's log says of the sign-in that failed last. */
async function lastFault(): Promise<unknown> {
  const now = at.world.now().getTime();
  const entries = await at.owner.client.call(readLogEntries, {
    params: { projectId: at.project.id },
    query: {
      begin: new Date(now - minuteMs).toISOString(),
      end: new Date(now + minuteMs).toISOString(),
      action: 'finishUserAuth',
      maxEntries: 1,
    },
  });
  return entries[0]?.detail?.fault;
}

const users = async () =>
  (await at.world.platform.db.many(sql`select id from users where project_id = ${at.project.id}`)).length;

it('a provider that behaves lets its user in', async () => {
  const { begun, back } = await comeBack(asked => hostile.signed(decentClaims(hostile, asked)));
  const code = back.searchParams.get('code') ?? '';
  expect((await finish(phone, methodId, { ...begun, code })).user.id).toMatch(/^usr_/);
});

it.each(lies)('an ID token with %s lets nobody in, and the log says why', async (_what, token, fault) => {
  const before = await users();
  const { back } = await comeBack(asked => token(hostile, asked));
  expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual(['access_denied', null]);
  expect(await lastFault()).toEqual(expect.stringMatching(fault));
  expect(await users()).toBe(before);
});

it('a provider that names another issuer beside the code lets nobody in', async () => {
  const decent = (asked: Asked) => hostile.signed(decentClaims(hostile, asked));
  const { back } = await comeBack(decent, { iss: 'https://accounts.example' });
  expect(back.searchParams.get('code')).toBeNull();
  expect(await lastFault()).toEqual(expect.stringMatching(/iss/));
});

it('a subject too long to be told from another is nobody', async () => {
  const sub = 's'.repeat(300);
  const { back } = await comeBack(asked => hostile.signed({ ...decentClaims(hostile, asked), sub }));
  expect(back.searchParams.get('code')).toBeNull();
  expect(await lastFault()).toEqual(expect.stringMatching(/did not say who/));
});

it('an address that the provider does not call verified is taken from nobody', async () => {
  const claims = { sub: 'u-2', email: 'ceo@example.com', email_verified: 'true' };
  const { begun, back } = await comeBack(asked =>
    hostile.signed({ ...decentClaims(hostile, asked), ...claims }),
  );
  const { user } = await finish(phone, methodId, { ...begun, code: back.searchParams.get('code') ?? '' });
  expect(user.email).toBeUndefined();
});
