import { Problem } from '#contract/problem.ts';
import { appendEntry } from '#server/logs/append.ts';
import { tellSealer } from '#server/logs/sealer.ts';
import { newToken } from '#server/sessions/session.ts';
import { outcomeOf } from '#server/userAuthMethods/outcomeOf.ts';
import type { SignInSecrets } from '#server/userAuthMethods/signIn.ts';
import { finishTest, type Returning } from '#server/userAuthMethods/testSignIn.ts';
import {
  isState,
  keepCode,
  type RefusedReturn,
  refuseReturn,
  type SignIn,
  signInLife,
  takeReturn,
} from './signInStore.ts';

/** What is kept of a provider's claims until the app fetches its tokens. */
export interface Said {
  issuer: string;
  sub: string;
  /** Only where the provider calls it verified. */
  email?: string;
  name?: string;
  language?: string;
}

/** As OpenID Connect has it. */
const subMax = 255;

/**
 * The browser comes back from a provider, from the sign-in of an end user or a developer's test. It is sent on to the app
 * with a code that only the app can use, or with an error.
 */
export async function returnFromProvider(
  call: Returning,
  methodId: string | undefined,
): Promise<{ redirect: string }> {
  const { platform, query, now, from } = call;
  const { state } = query;
  if (state === undefined || !(await isState(platform.db, state))) return finishTest(call, methodId);
  const signIn = await takeReturn(platform.db, { state, methodId, now });
  if (!signIn) {
    const refused = await refuseReturn(platform.db, { state, methodId });
    if (refused) await noteFailed(call, refused, returnFaults[refused.why]);
    throw ended();
  }
  const secrets = JSON.parse(platform.sealing.open(signIn.secrets)) as SignInSecrets;
  const outcome = await outcomeOf(platform, signIn, { ...query, requestId: from.requestId }, secrets);
  const said = 'claims' in outcome ? saidBy(outcome.claims) : undefined;
  if (!said) {
    const fault = 'fault' in outcome ? outcome.fault : 'The provider did not say who it is.';
    await noteFailed(call, signIn, fault);
    return backTo(signIn, { error: 'access_denied', error_description: fault });
  }
  const code = newToken();
  await keepCode(platform.db, signIn, { code, secrets: platform.sealing.seal(JSON.stringify(said)), now });
  return backTo(signIn, { code });
}

const returnFaults: Record<RefusedReturn, string> = {
  elsewhere: 'The browser came back to the address of another method.',
  again: 'The browser came back a second time with the same state.',
  late: `The browser came back after more than ${signInLife.providerS / 60} minutes.`,
};

function ended(): Problem {
  const message = 'This sign-in has ended or took too long. Go back to the app and start it again.';
  return new Problem('INVALID_LINK', { message });
}

function saidBy(claims: Record<string, unknown>): Said | undefined {
  const { iss, sub, email, email_verified: isVerified, name, locale } = claims;
  // Longer ones were cut short before, and could then be somebody else's as well.
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub.length > subMax) return undefined;
  // So could those with characters that are not kept.
  if (sub === '' || sub.includes('\uFFFD')) return undefined;
  return {
    issuer: iss,
    sub,
    ...(typeof email === 'string' && isVerified === true && { email }),
    ...(typeof name === 'string' && { name }),
    ...(typeof locale === 'string' && { language: locale }),
  };
}

function backTo({ redirectUri, appState }: SignIn, answer: Record<string, string>): { redirect: string } {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (appState !== null) url.searchParams.set('state', appState);
  return { redirect: url.href };
}

/** For the developer who set the method up: the user only learns that it did not work. */
async function noteFailed({ platform, now, from }: Returning, signIn: SignIn, fault: string): Promise<void> {
  const { projectId, methodId, appId } = signIn;
  await appendEntry(platform.db, platform, {
    ...{ projectId, stream: 'audit', ts: now, level: 1 },
    actor: { callerType: 'agent', id: appId, displayName: appId },
    action: 'finishUserAuth',
    text: `Sign-in by method ${methodId} failed: ${fault}`,
    detail: { method: methodId, app: appId, fault, address: from.address, requestId: from.requestId },
  });
  tellSealer(platform);
}
