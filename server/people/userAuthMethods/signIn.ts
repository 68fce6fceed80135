import * as oidc from 'openid-client';
import { Problem } from '#contract/problem.ts';
import { OutsideFault } from '#server/infra/outside/faults.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type Provider, readProvider } from './provider.ts';
import { redirectUri } from './redirectUri.ts';
import type { Client } from './store.ts';

/** The secrets of a sign-in while the browser is at the provider. */
export interface SignInSecrets {
  verifier: string;
  nonce: string;
}

/** The parameters with which the provider sends the browser back. */
export interface Returned {
  state: string;
  code: string;
  iss?: string | undefined;
}

const answerBytesMax = 256_000;
/** How far the provider's clock may differ from ours. */
const driftS = 300;

/** Begins a sign-in: returns the URL to send the browser to, and the secrets to check its return against. */
export async function beginSignIn(
  platform: Platform,
  client: Client,
): Promise<{ url: string; state: string; secrets: SignInSecrets }> {
  const provider = await readProvider(platform, client.issuer);
  const secrets = { verifier: oidc.randomPKCECodeVerifier(), nonce: oidc.randomNonce() };
  const state = oidc.randomState();
  const url = oidc.buildAuthorizationUrl(configuration(platform, provider, client), {
    redirect_uri: callbackOf(platform, client),
    scope: scopeOf(provider),
    state,
    nonce: secrets.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, state, secrets };
}

/** Finishes a sign-in: exchanges the code, checks the ID token, and returns the claims about the person. */
export async function finishSignIn(
  platform: Platform,
  client: Client,
  returned: Returned,
  secrets: SignInSecrets,
): Promise<Record<string, unknown>> {
  const provider = await readProvider(platform, client.issuer);
  const config = configuration(platform, provider, client);
  const url = new URL(callbackOf(platform, client));
  for (const [name, value] of Object.entries(returned)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    expectedState: returned.state,
    expectedNonce: secrets.nonce,
    pkceCodeVerifier: secrets.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new OutsideFault('The provider did not send an ID token.');
  checkAge(claims.iat, platform.clock());
  // OpenID Connect leaves this check to us if there is a single audience.
  if (claims.azp !== undefined && claims.azp !== client.clientId)
    throw new OutsideFault('The ID token was issued to another client (its azp is not the client id).');
  if (claims.sub === '') throw new OutsideFault('The ID token names nobody (its sub is empty).');
  if (!provider.userinfo_endpoint) return { ...claims };
  const info = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
  return { ...info, ...claims };
}

const callbackOf = (platform: Platform, { methodId, ownCallback }: Client) =>
  redirectUri(platform, ownCallback ? methodId : undefined);

/** An ID token must have been issued just now. */
function checkAge(iat: number, now: Date): void {
  const ageS = now.getTime() / 1000 - iat;
  if (Math.abs(ageS) <= driftS) return;
  const when = ageS > 0 ? 'the past' : 'the future';
  throw new OutsideFault(
    `The ID token was issued ${Math.round(Math.abs(ageS) / 60)} min in ${when}. Check the clocks on both sides.`,
  );
}

function scopeOf({ scopes_supported: offered }: Provider): string {
  const more = ['profile', 'email'].filter(scope => offered?.includes(scope) ?? true);
  return ['openid', ...more].join(' ');
}

function configuration(platform: Platform, provider: Provider, client: Client): oidc.Configuration {
  const secret = platform.sealing.open(client.sealedSecret);
  const skewS = Math.round((platform.clock().getTime() - Date.now()) / 1000);
  const metadata = { [oidc.clockSkew]: skewS, [oidc.clockTolerance]: driftS };
  const way = ways[provider.secretWay](secret);
  const config = new oidc.Configuration(serverOf(provider), client.clientId, metadata, way);
  config[oidc.customFetch] = fetchFor(platform);
  // Otherwise the library accepts the TLS connection as proof, and does not check signatures.
  oidc.enableNonRepudiationChecks(config);
  // fetchOutside decides whether this is allowed, which requires the operator's permission.
  if (client.issuer.startsWith('http:')) oidc.allowInsecureRequests(config);
  return config;
}

function serverOf(provider: Provider): oidc.ServerMetadata {
  const { userinfo_endpoint, authorization_response_iss_parameter_supported: namesItself } = provider;
  return {
    issuer: provider.issuer,
    authorization_endpoint: provider.authorization_endpoint,
    token_endpoint: provider.token_endpoint,
    jwks_uri: provider.jwks_uri,
    id_token_signing_alg_values_supported: provider.id_token_signing_alg_values_supported,
    ...(userinfo_endpoint !== undefined && { userinfo_endpoint }),
    ...(namesItself !== undefined && { authorization_response_iss_parameter_supported: namesItself }),
  };
}

const ways = {
  client_secret_basic: oidc.ClientSecretBasic,
  client_secret_post: oidc.ClientSecretPost,
  client_secret_jwt: oidc.ClientSecretJwt,
};

/** Sends the library's requests through `outside`, like all others. */
function fetchFor({ outside }: Platform): oidc.CustomFetch {
  return async (url, { method, headers, body }) => {
    if (method !== 'GET' && method !== 'POST') throw new Error(`No sign-in needs ${method}.`);
    const answer = await outside.fetchOutside(url, {
      method,
      headers,
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      bytesMax: answerBytesMax,
    });
    const { status } = answer;
    if (status < 200 || status > 599) throw new OutsideFault(`The provider returned status ${status}.`);
    const empty = status === 204 || status === 205 || status === 304;
    return new Response(empty ? null : new Uint8Array(answer.body), { status, headers: answer.headers });
  };
}

/** Why a sign-in failed, in a sentence for the developer who set it up; undefined if it is our own error. */
export function signInFault(error: unknown): string | undefined {
  if (error instanceof Problem && error.status < 500) return error.message;
  if (error instanceof OutsideFault) return error.message;
  if (error instanceof oidc.ResponseBodyError) return bodySentence(error);
  if (error instanceof oidc.WWWAuthenticateChallengeError)
    return 'The provider rejected the client. Check the client id and client secret.';
  if (!(error instanceof oidc.ClientError)) return undefined;
  const { cause } = error;
  if (cause instanceof Problem || cause instanceof OutsideFault) return signInFault(cause);
  const detail = cause instanceof Error && cause.message !== error.message ? ` (${cause.message})` : '';
  return `${sentences[error.code ?? ''] ?? 'The response of the provider is not valid.'}${detail}`.slice(
    0,
    500,
  );
}

const sentences: Record<string, string> = {
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'The ID token was issued to another client or for another sign-in.',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'The ID token has expired. Check the clocks on both sides.',
  OAUTH_KEY_SELECTION_FAILED: 'The ID token is signed with a key that is not in the provider’s key set.',
  OAUTH_INVALID_RESPONSE: 'The response of the provider violates OpenID Connect.',
  OAUTH_PARSE_ERROR: 'The response of the provider cannot be read.',
  OAUTH_RESPONSE_IS_NOT_JSON: 'The response of the provider is not JSON.',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'The provider returned an unexpected status.',
  OAUTH_UNSUPPORTED_OPERATION: 'The ID token is protected in an unsupported way.',
};

function bodySentence({ error, error_description: said }: oidc.ResponseBodyError): string {
  const hint = error === 'invalid_client' ? ' Check the client id and client secret.' : '';
  const more = typeof said === 'string' ? ` (${said.slice(0, 300)})` : '';
  return `The provider rejected the code: ${error.slice(0, 100)}${more}.${hint}`;
}
