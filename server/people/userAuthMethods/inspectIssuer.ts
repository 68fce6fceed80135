import { z } from 'zod';
import type { IssuerFinding } from '#contract/userAuthMethod.ts';
import type { Platform } from '#server/infra/platform.ts';
import { fetchJson, issuerProblem, type Provider, readProvider, toIssuerProblem } from './provider.ts';

const keysMax = 100;
const KeySet = z.object({
  keys: z.array(z.object({ kty: z.string(), use: z.string().optional(), kid: z.string().optional() })),
});

/**
 * Checks everything that a sign-in will need from an issuer, before it is stored; returns the findings in sentences.
 */
export async function inspectIssuer(platform: Platform, issuer: string): Promise<IssuerFinding[]> {
  const provider = await readProvider(platform, issuer);
  for (const address of [
    provider.authorization_endpoint,
    provider.token_endpoint,
    provider.userinfo_endpoint,
  ]) {
    if (address !== undefined)
      await platform.outside.checkOutside(address).catch((error: unknown) => {
        throw toIssuerProblem(error, address);
      });
  }
  const keys = await countKeys(platform, provider);
  return [
    { level: 'ok', text: 'The discovery document was found and names this issuer.' },
    encryption(issuer),
    pkce(provider),
    {
      level: 'ok',
      text: `ID tokens are signed with ${listText(provider.id_token_signing_alg_values_supported)}.`,
    },
    { level: 'ok', text: keys === 1 ? 'The key set has 1 key.' : `The key set has ${keys} keys.` },
    { level: 'ok', text: `The client secret is sent by ${provider.secretWay}.` },
    ...scopes(provider),
  ];
}

async function countKeys(platform: Platform, provider: Provider): Promise<number> {
  const found = KeySet.safeParse(await fetchJson(platform, provider.jwks_uri));
  if (!found.success) throw issuerProblem('ISSUER_UNFIT', 'The response of its jwks_uri is not a key set.');
  const keys = found.data.keys.filter(({ kty, use = 'sig' }) => use === 'sig' && kty !== 'oct');
  if (keys.length === 0)
    throw issuerProblem('ISSUER_UNFIT', 'Its key set has no key for verifying signatures.');
  if (found.data.keys.length > keysMax)
    throw issuerProblem('ISSUER_UNFIT', `Its key set has more than ${keysMax} keys.`);
  return keys.length;
}

function encryption(issuer: string): IssuerFinding {
  return issuer.startsWith('https:')
    ? { level: 'ok', text: 'All addresses use https.' }
    : {
        level: 'warn',
        text: 'The connection is not encrypted, which this installation allows for its own network.',
      };
}

function pkce({ code_challenge_methods_supported: methods }: Provider): IssuerFinding {
  if (methods?.includes('S256')) return { level: 'ok', text: 'It supports PKCE with S256.' };
  const text = methods
    ? 'It does not support PKCE with S256, so a stolen code is not bound to the browser that requested it.'
    : 'It does not state whether it supports PKCE. A code challenge is sent anyway.';
  return { level: 'warn', text };
}

function scopes({ scopes_supported: offered }: Provider): IssuerFinding[] {
  if (!offered) return [];
  if (!offered.includes('openid'))
    return [{ level: 'warn', text: 'It does not list the scope openid, which is required for an ID token.' }];
  const missing = ['profile', 'email'].filter(scope => !offered.includes(scope));
  if (missing.length === 0)
    return [{ level: 'ok', text: 'It offers the name and e-mail address of the user.' }];
  return [{ level: 'warn', text: `It does not offer the scope ${listText(missing)}.` }];
}

function listText(words: string[]): string {
  return words.length > 8 ? `${words.slice(0, 8).join(', ')} and others` : words.join(', ');
}
