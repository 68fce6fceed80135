import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { aWebServer, type WebServer } from './webServer.ts';

export interface HostileProvider extends WebServer {
  issuer: string;
  /** Additional or different members of its discovery document. */
  discovery: Record<string, unknown>;
  /** The answer of its token endpoint to the next code. */
  tokens: () => object | string;
  /** The answer of its userinfo endpoint. */
  userinfo: () => object | string;
  /** If set, its token endpoint redirects there instead of answering. */
  redirectsTo: string | undefined;
  /** The keys in its key set. */
  keys: object[];
  /** Signs any claims with the right key. */
  signed(claims: object, header?: object): string;
  /** Signs with the public key as a shared secret, which everybody knows. */
  signedWithPublicKey(claims: object): string;
  /** Signs with a key that is not in the key set. */
  signedWithOtherKey(claims: object, header?: object): string;
  /** The key that is not in the key set, in the format of a key set. */
  otherKey: object;
  unsigned(claims: object): string;
}

/** A provider that does whatever a test tells it to; its pages are never opened. */
export async function aHostileProvider(): Promise<HostileProvider> {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' });
  const server = await aWebServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://any');
    const answer = pathname.endsWith('/openid-configuration')
      ? { ...endpointsOf(provider.issuer), ...provider.discovery }
      : pathname === '/keys'
        ? { keys: provider.keys }
        : pathname === '/me'
          ? provider.userinfo()
          : provider.tokens();
    request.resume();
    if (pathname === '/token' && provider.redirectsTo !== undefined)
      response.writeHead(307, { location: provider.redirectsTo });
    else response.setHeader('content-type', 'application/json');
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  const provider: HostileProvider = Object.assign(server, {
    issuer: `http://127.0.0.1:${server.port}`,
    discovery: {},
    tokens: () => ({}),
    userinfo: () => ({}),
    redirectsTo: undefined,
    keys: [jwk(own.publicKey)],
    otherKey: jwk(other.publicKey),
    signed: (claims: object, header: object = {}) => jwt({ alg: 'ES256', ...header }, claims, own.privateKey),
    signedWithPublicKey: (claims: object) => {
      const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
      const secret = own.publicKey.export({ type: 'spki', format: 'pem' });
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    },
    signedWithOtherKey: (claims: object, header: object = {}) =>
      jwt({ alg: 'ES256', ...header }, claims, other.privateKey),
    unsigned: (claims: object) => `${part({ alg: 'none' })}.${part(claims)}.`,
  });
  return provider;
}

function endpointsOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function jwt(header: object, claims: object, key: KeyObject): string {
  const text = `${part(header)}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
