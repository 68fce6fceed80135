import { Problem } from '#contract/problem.ts';
import { appendEntry } from '#server/api/logs/append.ts';
import { wakeSealer } from '#server/api/logs/auditChain/sealer.ts';
import { newToken } from '#server/api/sessions/session.ts';
import { outcomeOf } from '#server/people/userAuthMethods/outcomeOf.ts';
import type { SignInSecrets } from '#server/people/userAuthMethods/signIn.ts';
import { finishTest, type Returning } from '#server/people/userAuthMethods/testSignIn.ts';
import {
  isState,
  type RefusedReturn,
  refuseReturn,
  type SignIn,
  signInLife,
  storeCode,
  takeReturn,
} from './signInStore.ts';

/** The claims of a provider that are stored until the app fetches its tokens. */
export interface Said {
  issuer: string;
  sub: string;
  /** Only if the provider calls it verified. */
  email?: string;
  name?: string;
  language?: string;
}

/** The limit of OpenID Connect. */
const subMax = 255;

/**
 * Handles the return of a browser from a provider, for a sign-in of an end user or a developer's test. Sends it on to
 * the app with a code that only the app can use, or with an error.
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
    if (refused) await recordFailed(call, refused, returnFaults[refused.why]);
    throw ended();
  }
  const secrets = JSON.parse(platform.sealing.open(signIn.secrets)) as SignInSecrets;
  const outcome = await outcomeOf(platform, signIn, { ...query, requestId: from.requestId }, secrets);
  const said = 'claims' in outcome ? saidBy(outcome.claims) : undefined;
  if (!said) {
    const fault = 'fault' in outcome ? outcome.fault : 'The provider did not say who it is.';
    await recordFailed(call, signIn, fault);
    return backTo(signIn, { error: 'access_denied', error_description: fault });
  }
  const code = newToken();
  await storeCode(platform.db, signIn, { code, secrets: platform.sealing.seal(JSON.stringify(said)), now });
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
  // Longer ones have been truncated, so they may also stand for someone else.
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub.length > subMax) return undefined;
  // The same goes for those in which characters were replaced.
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

/** For the developer who set up the method: the user learns only that it failed. */
async function recordFailed(
  { platform, now, from }: Returning,
  signIn: SignIn,
  fault: string,
): Promise<void> {
  const { projectId, methodId, appId } = signIn;
  await appendEntry(platform.db, platform, {
    projectId,
    stream: 'audit',
    ts: now,
    level: 1,
    actor: { callerType: 'agent', id: appId, displayName: appId },
    action: 'finishUserAuth',
    text: `Sign-in by method ${methodId} failed: ${fault}`,
    detail: { method: methodId, app: appId, fault, address: from.address, requestId: from.requestId },
  });
  wakeSealer(platform);
}
