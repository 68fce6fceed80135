import { createHash, randomBytes } from 'node:crypto';
import { finishMethodSignIn, startMethodSignIn, type Tokens } from '#contract/appApi/session.ts';
import type { Client } from '#contract/client.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { signInAt } from './oidcProvider.ts';

/** The redirect URI of the app in the tests. */
export const appRedirect = 'com.example.thermo:/signed-in';

export interface BegunSignIn {
  signInUrl: string;
  codeVerifier: string;
}

/** Starts a sign-in as an app does, with a code verifier that it keeps secret. */
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

/** Follows the provider's redirect as the browser does; returns where the platform redirects to. */
export async function followBack(back: string): Promise<URL> {
  const response = await fetch(back, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${response.status} ${await response.text()}`);
  return new URL(location);
}

/** Runs the whole sign-in with a real provider, up to the code that the app gets. */
export async function codeFor(begun: BegunSignIn, login: string): Promise<string> {
  return (await followBack(await signInAt(begun.signInUrl, login))).searchParams.get('code') ?? '';
}

export function finish(
  client: Client,
  methodId: string,
  { code, codeVerifier, invitation }: { code: string; codeVerifier: string; invitation?: string },
): Promise<Tokens> {
  const body = { code, codeVerifier, deviceName: 'Phone', ...(invitation !== undefined && { invitation }) };
  return client.call(finishMethodSignIn, { params: { methodId }, body });
}
