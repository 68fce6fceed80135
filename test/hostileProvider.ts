import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { aWebServer, type WebServer } from './webServer.ts';

export interface HostileProvider extends WebServer {
  issuer: string;
  /** What its discovery document says beside what every one says. */
  discovery: Record<string, unknown>;
  /** What its token endpoint answers to the next code. */
  tokens: () => object | string;
  /** What its userinfo endpoint answers. */
  userinfo: () => object | string;
  /** Where its token endpoint redirects to instead of answering. */
  redirectsTo: string | undefined;
  /** What its key set holds. */
  keys: object[];
  /** Signs as a decent provider would, whatever is in it. */
  signed(claims: object, header?: object): string;
  /** Signs with what everybody knows: the public key. */
  signedWithPublicKey(claims: object): string;
  /** Signs with a key that is in no key set. */
  signedWithOtherKey(claims: object, header?: object): string;
  /** The key that is in no key set, as a key set would have it. */
  otherKey: object;
  unsigned(claims: object): string;
}

/** A provider that does whatever a test tells it to; its pages are never shown to anybody. */
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
