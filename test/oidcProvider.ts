import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import Provider, { type JWK } from 'oidc-provider';
import { browserFetch } from './browserFetch.ts';

export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Registers a client once its redirect URI is known; redirects are allowed to this URI or below it. */
  register(redirectUri: string): void;
  end(): Promise<void>;
}

/** A real OpenID Connect provider on loopback. It accepts any login with any password. */
export async function anOidcProvider(): Promise<OidcProvider> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It listens on no port.');
  const issuer = `http://127.0.0.1:${address.port}`;
  const clientId = 'mooring-test';
  const clientSecret = randomBytes(24).toString('base64url');
  return {
    issuer,
    clientId,
    clientSecret,
    register(redirectUri) {
      const client = { client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] };
      const provider = new Provider(issuer, {
        clients: [client],
        jwks: { keys: [signingKey()] },
        cookies: { keys: [randomBytes(16).toString('hex')] },
        features: { devInteractions: { enabled: true } },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: () => ({
            sub: id,
            email: `${id}@example.com`,
            email_verified: true,
            name: `${id} of Test`,
          }),
        }),
        ttl: { Session: 600, Grant: 600, Interaction: 600, AccessToken: 600, IdToken: 600 },
      });
      Object.assign(provider.Client.prototype, {
        redirectUriAllowed: (uri: string) => uri.startsWith(redirectUri),
      });
      server.removeAllListeners('request').on('request', provider.callback());
    },
    async end() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** Signs in and consents at the provider, as a user does. Returns where the provider finally redirects the browser. */
export async function signInAt(signInUrl: string, login: string): Promise<string> {
  const browse = browserFetch(new Map());
  const { origin } = new URL(signInUrl);
  let response = await browse(signInUrl, { redirect: 'manual' });
  for (let step = 0; step < 20; step++) {
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`The provider answers ${response.status}: ${await response.text()}`);
    const next = new URL(location, response.url);
    if (next.origin !== origin) return next.href;
    response = await browse(next, { redirect: 'manual' });
    if (response.status !== 200) continue;
    const prompt = /name="prompt" value="(\w+)"/.exec(await response.text())?.[1] ?? '';
    const body = new URLSearchParams({ prompt, login, password: 'any' });
    response = await browse(next, { method: 'POST', body, redirect: 'manual' });
  }
  throw new Error('The provider goes round in circles.');
}

function signingKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), use: 'sig', alg: 'RS256', kid: 'test' };
}
