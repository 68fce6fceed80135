import { afterAll, afterEach, beforeAll } from 'vitest';
import { finishMethodSignIn } from '#contract/appApi/session.ts';
import type { Client } from '#contract/client.ts';
import { readLogEntries } from '#contract/log.ts';
import { finishUserAuth } from '#contract/userAuthMethod.ts';
import { anApp } from './apps.ts';
import { appClient } from './endUsers.ts';
import { aHostileProvider, type HostileProvider } from './hostileProvider.ts';
import { type Asked, decentClaims } from './hostileTokens.ts';
import { appRedirect, type BegunSignIn, begin } from './methodSignIns.ts';
import { signIns } from './signIns.ts';
import { hourMs } from './world.ts';

interface Attacked {
  hostile: HostileProvider;
  /** Another one of that kind. */
  other: HostileProvider;
  /** The method of the first. */
  methodId: string;
  phone: Client;
  anotherApp: Client;
}

interface Coming {
  /** What its token endpoint answers; a text is its ID token. */
  tokens?: (asked: Asked) => object | string;
  /** What else the browser brings along, or in place of what a provider would have sent. */
  query?: Record<string, string | undefined>;
  /** The method to whose address it comes. */
  to?: string;
  /** What the provider does once the sign-in has begun. */
  meanwhile?: () => unknown;
}

interface CameBack {
  begun: BegunSignIn;
  /** What the app gets; null: nothing. */
  code: string | null;
  /** The browser comes once more. */
  again: () => Promise<string | null>;
}

/** An attack answers the code that the app got; null: none, or one that was of no use. */
export type Attack = [what: string, attack: () => Promise<string | null>, fault: RegExp];

/** For a test file: end users of an app who sign in at a provider that does what the test wants. */
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

  /** A sign-in that comes back from the provider. */
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

  /** What the project's log says of the sign-ins that failed meanwhile. */
  async function faultsOf(attack: () => Promise<unknown>): Promise<unknown[]> {
    const known = new Set((await refusals()).map(({ id }) => id));
    await attack();
    return (await refusals()).flatMap(({ id, detail }) => (known.has(id) ? [] : [detail?.fault]));
  }

  return { at, aMethod, given, comeBack, faultsOf };
}

export const tokenAnswer = (id_token: string) => ({ access_token: 'a', token_type: 'bearer', id_token });
