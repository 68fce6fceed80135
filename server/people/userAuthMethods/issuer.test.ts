import { describe, expect, it } from 'vitest';
import { failing } from '#test/failing.ts';
import { signIns } from '#test/signIns.ts';
import { aWebServer } from '#test/webServer.ts';

const rebinding = [['127.0.0.1'], ['10.0.0.7']];
const names: Record<string, () => string[]> = {
  'inside.example': () => ['10.0.0.7'],
  'both.example': () => ['127.0.0.1', '10.0.0.7'],
  'rebind.example': () => rebinding.shift() ?? ['10.0.0.7'],
};

const { at, method, create } = signIns({
  resolve: async host => names[host]?.() ?? (/^[\d.]+$|:/.test(host) ? [host] : []),
});

const key = { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' };
const good = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
});

describe('an issuer', () => {
  const refused = [
    'https://127.0.0.2',
    'https://127.1.1.1',
    'https://0x7f.2',
    'https://2130706434',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[fd00:ec2::254]',
    'https://169.254.169.254',
    'https://10.0.0.7',
    'https://inside.example',
    'https://both.example',
    'https://nowhere.example',
    'http://login.example.com',
    'https://user:secret@login.example.com',
    'https://login.example.com:5432',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ];
  it.each(refused)('%s is refused in plain words, with the name of the field', async issuer => {
    const failure = await failing(create(method({ issuer })), 'ADDRESS_REFUSED');
    expect(failure.fields).toEqual({ 'config.issuer': 'ADDRESS_REFUSED' });
    expect(failure.context).toEqual({ address: expect.stringMatching(/^(It|This)/) });
  });

  it('is refused if it is this platform itself', async () => {
    const { port } = new URL(at.world.url);
    const failure = await failing(create(method({ issuer: `http://127.0.0.1:${port}` })), 'ADDRESS_REFUSED');
    expect(failure.context).toEqual({ address: 'It points back to this platform.' });
  });

  it('whose name resolves to another address on a second call is refused on that call', async () => {
    await using server = await aWebServer((_request, response) => response.end('{}'));
    const issuer = `http://rebind.example:${server.port}`;
    const first = await failing(create(method({ issuer })), 'ISSUER_UNFIT');
    expect(first.context).toMatchObject({ cause: 'Its discovery document has no usable issuer.' });
    await failing(create(method({ issuer })), 'ADDRESS_REFUSED');
    expect(server.asked).toHaveLength(1);
  });

  it('that states another name is refused with that name', async () => {
    for (const issuer of [`${at.provider.issuer}/`, at.provider.issuer.replace('http:', 'HTTP:')]) {
      const failure = await failing(create(method({ issuer })), 'ISSUER_MISMATCH');
      expect(failure.context).toMatchObject({ found: at.provider.issuer });
    }
  });

  const answers: [string, (issuer: string) => object | string, string, string][] = [
    ['no JSON', () => '<html>', 'ISSUER_UNREACHABLE', 'is not JSON'],
    ['a list', () => '[]', 'ISSUER_UNFIT', 'has no usable content'],
    ['half a document', issuer => ({ issuer }), 'ISSUER_UNFIT', 'has no usable authorization_endpoint'],
    ['a wrong type', issuer => ({ ...good(issuer), jwks_uri: 7 }), 'ISSUER_UNFIT', 'has no usable jwks_uri'],
    [
      'no code flow',
      issuer => ({ ...good(issuer), response_types_supported: ['id_token'] }),
      'ISSUER_UNFIT',
      'does not offer the response type code',
    ],
    [
      'only HS256',
      issuer => ({ ...good(issuer), id_token_signing_alg_values_supported: ['HS256', 'none'] }),
      'ISSUER_UNFIT',
      'only with unsupported algorithms',
    ],
    [
      'no way for a secret',
      issuer => ({ ...good(issuer), token_endpoint_auth_methods_supported: ['private_key_jwt'] }),
      'ISSUER_UNFIT',
      'does not accept a client secret',
    ],
    [
      'a script to open',
      issuer => ({ ...good(issuer), authorization_endpoint: 'javascript:alert(1)' }),
      'ISSUER_UNFIT',
      'authorization_endpoint does not start with https',
    ],
    [
      'a token endpoint inside',
      issuer => ({ ...good(issuer), token_endpoint: 'https://10.0.0.7/token' }),
      'ADDRESS_REFUSED',
      'https://10.0.0.7/token',
    ],
    [
      'keys inside',
      issuer => ({ ...good(issuer), jwks_uri: 'https://169.254.169.254/keys' }),
      'ADDRESS_REFUSED',
      'https://169.254.169.254/keys',
    ],
    [
      '10,000 keys',
      issuer => ({ ...good(issuer), jwks_uri: `${issuer}/manyKeys` }),
      'ISSUER_UNREACHABLE',
      'larger than 256 kB',
    ],
    [
      '101 keys',
      issuer => ({ ...good(issuer), jwks_uri: `${issuer}/101Keys` }),
      'ISSUER_UNFIT',
      'more than 100 keys',
    ],
    [
      'no key',
      issuer => ({ ...good(issuer), jwks_uri: `${issuer}/noKeys` }),
      'ISSUER_UNFIT',
      'no key for verifying signatures',
    ],
    [
      '10 MB',
      issuer => ({ ...good(issuer), more: 'x'.repeat(10_000_000) }),
      'ISSUER_UNREACHABLE',
      'larger than',
    ],
  ];
  const keys: Record<string, object[]> = {
    '/keys': [key],
    '/noKeys': [{ kty: 'oct', k: 'a' }],
    '/101Keys': Array(101).fill(key),
    '/manyKeys': Array(10_000).fill({ ...key, kid: 'a long name of a key' }),
  };
  it.each(answers)('that answers with %s is refused with the cause', async (_what, answer, reason, cause) => {
    await using server = await aWebServer((request, response) => {
      const found = keys[request.url ?? ''];
      const document = answer(`http://${request.headers.host}`);
      response.end(
        found
          ? JSON.stringify({ keys: found })
          : typeof document === 'string'
            ? document
            : JSON.stringify(document),
      );
    });
    const body = method({ issuer: `http://127.0.0.1:${server.port}` });
    const failure = await failing(create(body), reason as 'ISSUER_UNFIT');
    expect(failure.message).toContain(cause);
    expect(failure.fields).toEqual({ 'config.issuer': reason });
  });

  it('without PKCE is stored, with a warning', async () => {
    await using server = await aWebServer((request, response) => {
      const issuer = `http://${request.headers.host}`;
      response.end(JSON.stringify(request.url === '/keys' ? { keys: [key] } : good(issuer)));
    });
    const { findings } = await create(method({ issuer: `http://127.0.0.1:${server.port}` }));
    expect(findings).toContainEqual({
      level: 'warn',
      text: 'It does not state whether it supports PKCE. A code challenge is sent anyway.',
    });
  });

  it('that redirects is refused with the target of the redirect', async () => {
    await using server = await aWebServer((_request, response) => {
      response.writeHead(302, { location: 'https://10.0.0.7/' }).end();
    });
    const failure = await failing(
      create(method({ issuer: `http://127.0.0.1:${server.port}` })),
      'ISSUER_UNREACHABLE',
    );
    expect(failure.message).toContain('redirects to https://10.0.0.7/, which is not followed');
  });

  it('that does not answer is refused with the cause', async () => {
    const { port, [Symbol.asyncDispose]: close } = await aWebServer(() => undefined);
    await close();
    const failure = await failing(
      create(method({ issuer: `http://127.0.0.1:${port}` })),
      'ISSUER_UNREACHABLE',
    );
    expect(failure.message).toContain('The server refused the connection.');
  });
});
