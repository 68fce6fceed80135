import { Secret, TOTP } from 'otpauth';
import { activateAuth2F, logIn, verifyAuth2F } from '#contract/account.ts';
import type { SignedIn, Visitor, World } from './world.ts';

export interface Authenticator {
  secret: string;
  recoveryCodes: string[];
  /** The code that the app shows `steps` × 30 seconds from now. */
  code(steps?: number): string;
}

/** The code shown by the authenticator app on a developer's phone. */
export function codeOf(world: World, secret: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: 30 });
  return totp.generate({ timestamp: world.now().getTime() + steps * 30_000 });
}

/**
 * Turns on two-factor authentication, waits until the used code's step has passed, and moves to the start of a step, so
 * that the code does not change during the test.
 */
export async function anAuthenticator(world: World, owner: SignedIn): Promise<Authenticator> {
  const { auth2FSecret: secret } = await owner.client.call(activateAuth2F, {
    body: { password: owner.password },
  });
  const { recoveryCodes } = await owner.client.call(verifyAuth2F, { body: { code: codeOf(world, secret) } });
  world.pass(90_000 - (world.now().getTime() % 30_000));
  return { secret, recoveryCodes, code: steps => codeOf(world, secret, steps) };
}

/** Completes the first step of signing in; returns the token for the second. */
export async function firstStep(visitor: Visitor, { email, password, developer }: SignedIn): Promise<string> {
  const answer = await visitor.client.call(logIn, { body: { email, password, orgId: developer.orgId } });
  if (!('auth2FToken' in answer)) throw new Error('No second factor was asked for.');
  return answer.auth2FToken;
}
