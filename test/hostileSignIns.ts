import { afterAll, afterEach, beforeAll } from 'vitest';
import { finishMethodSignIn } from '#contract/appApi/session.ts';
import type { Client } from '#contract/client.ts';
import { readLogEntries } from '#contract/log.ts';
import { finishUserAuth } from '#contract/userAuthMethod.ts';
import { hourMs } from '#rules/time/durations.ts';
import { anApp } from './apps.ts';
import { appClient } from './endUsers.ts';
import { aHostileProvider, type HostileProvider } from './hostileProvider.ts';
import { type Asked, decentClaims } from './hostileTokens.ts';
import { appRedirect, type BegunSignIn, begin } from './methodSignIns.ts';
import { signIns } from './signIns.ts';

interface Attacked {
  hostile: HostileProvider;
  /** A second provider of this kind. */
  other: HostileProvider;
  /** The method of the first provider. */
  methodId: string;
  phone: Client;
  anotherApp: Client;
}

interface Coming {
  /** The answer of its token endpoint; a string is the ID token. */
  tokens?: (asked: Asked) => object | string;
  /** Query parameters that the browser brings, added to or replacing those of the provider. */
  query?: Record<string, string | undefined>;
  /** The method whose callback is called. */
  to?: string;
  /** Called once the sign-in has begun. */
  meanwhile?: () => unknown;
}

interface CameBack {
  begun: BegunSignIn;
  /** The code that the app gets; null: none. */
  code: string | null;
  /** Repeats the browser's request. */
  again: () => Promise<string | null>;
}

/** An attack returns the code that the app got; null: no code, or a useless one. */
export type Attack = [what: string, attack: () => Promise<string | null>, fault: RegExp];

/** For a test file: end users of an app who sign in with a provider that misbehaves on demand. */
export function hostileSignIns() {
  const { at, aMethod } = signIns();
  const given = {} as Attacked;
  beforeAll(async () => {
    given.hostile = await aHostileProvider();
    given.other = await aHostileProvider();
    given.methodId = await aMethod({ issuer: given.hostile.issuer });
    const anotherClient = async () =>
      appClient(at.world, await anApp(at.owner, at.project.id, { redirects: [appRedirect] }));
    given.phone = await anotherClient();
    given.anotherApp = await anotherClient();
  });
  afterAll(async () => {
    await given.hostile[Symbol.asyncDispose]();
    await given.other[Symbol.asyncDispose]();
  });
  afterEach(() => {
    Object.assign(given.hostile, { discovery: {}, redirectsTo: undefined });
  });

  const decent = (asked: Asked) => given.hostile.signed(decentClaims(given.hostile, asked));

  /** Runs a sign-in up to the return from the provider. */
  async function comeBack({ tokens = decent, query, to, meanwhile }: Coming = {}): Promise<CameBack> {
    const { hostile, methodId } = given;
    const begun = await begin(given.phone, methodId);
    const { searchParams } = new URL(begun.signInUrl);
    const nowS = Math.floor(at.world.now().getTime() / 1000);
    const answered = tokens({ nonce: searchParams.get('nonce') ?? '', nowS });
    hostile.tokens = () => (typeof answered === 'string' ? tokenAnswer(answered) : answered);
    await meanwhile?.();
    const brought = { state: searchParams.get('state') ?? '', code: 'c', ...query };
    const all = Object.entries(brought).filter((one): one is [string, string] => one[1] !== undefined);
    const back = `${at.world.url}/api/userAuth/callback/${to ?? methodId}?${new URLSearchParams(all)}`;
    const again = async () => {
      const location = (await fetch(back, { redirect: 'manual' })).headers.get('location');
      return location === null ? null : new URL(location).searchParams.get('code');
    };
    return { begun, code: await again(), again };
  }

  async function refusals() {
    const now = at.world.now().getTime();
    const entries = await at.owner.client.call(readLogEntries, {
      params: { projectId: at.project.id },
      query: {
        begin: new Date(now - hourMs).toISOString(),
        end: new Date(now + hourMs).toISOString(),
        level: 1,
        maxEntries: 999,
      },
    });
    const actions: string[] = [finishUserAuth.name, finishMethodSignIn.name];
    return entries.filter(({ action }) => actions.includes(action));
  }

  /** The reasons of failed sign-ins in the project's log during the attack. */
  async function faultsOf(attack: () => Promise<unknown>): Promise<unknown[]> {
    const known = new Set((await refusals()).map(({ id }) => id));
    await attack();
    return (await refusals()).flatMap(({ id, detail }) => (known.has(id) ? [] : [detail?.fault]));
  }

  return { at, aMethod, given, comeBack, faultsOf };
}

export const tokenAnswer = (id_token: string) => ({ access_token: 'a', token_type: 'bearer', id_token });
