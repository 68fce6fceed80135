import { createHash, randomBytes } from 'node:crypto';
import { finishMethodSignIn, startMethodSignIn, type Tokens } from '#contract/appApi/session.ts';
import type { Client } from '#contract/client.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { signInAt } from './oidcProvider.ts';

/** Where the app of the tests has sign-ins return to. */
export const appRedirect = 'com.example.thermo:/signed-in';

export interface BegunSignIn {
  signInUrl: string;
  codeVerifier: string;
}

/** Begins a sign-in as an app does: with a code verifier that it keeps to itself. */
export async function begin(
  client: Client,
  methodId: string,
  more: Partial<BodyOf<typeof startMethodSignIn>> = {},
): Promise<BegunSignIn> {
  const codeVerifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const body = { redirectUri: appRedirect, codeChallenge, state: 'app-state', ...more };
  const { signInUrl } = await client.call(startMethodSignIn, { params: { methodId }, body });
  return { signInUrl, codeVerifier };
}

/** The browser follows the provider's redirect; answers where the platform sends it on to. */
export async function followBack(back: string): Promise<URL> {
  const response = await fetch(back, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${response.status} ${await response.text()}`);
  return new URL(location);
}

/** The whole way through a real provider, up to the code that the app gets. */
export async function codeFor(begun: BegunSignIn, login: string): Promise<string> {
  return (await followBack(await signInAt(begun.signInUrl, login))).searchParams.get('code') ?? '';
}

export function finish(
  client: Client,
  methodId: string,
  { code, codeVerifier }: { code: string; codeVerifier: string },
): Promise<Tokens> {
  const body = { code, codeVerifier, deviceName: 'Phone' };
  return client.call(finishMethodSignIn, { params: { methodId }, body });
}
