import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '#contract/client.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { addMember } from '#contract/member.ts';
import type { Project } from '#contract/project.ts';
import {
  createUserAuthMethod,
  deleteUserAuthMethod,
  editUserAuthMethod,
  listUserAuthMethods,
  readUserAuthIcon,
  readUserAuthMethod,
} from '#contract/userAuthMethod.ts';
import { sql } from '#server/db/sql.ts';
import { failing } from '#test/failing.ts';
import { anOidcProvider, type OidcProvider } from '#test/oidcProvider.ts';
import { aWebServer } from '#test/webServer.ts';
import { aWorld, type SignedIn, type World } from '#test/world.ts';

let world: World;
let provider: OidcProvider;
let owner: SignedIn;
let project: Project;

beforeAll(async () => {
  provider = await anOidcProvider();
  world = await aWorld(
    { ALLOW_PRIVATE_TARGETS: '127.0.0.1' },
    {
      resolve: async host => names[host]?.() ?? (/^[\d.]+$|:/.test(host) ? [host] : []),
    },
  );
  provider.register(`${world.url}/api/userAuth/callback`);
  owner = await world.aDeveloper();
  project = await world.aProject(owner);
});
afterAll(async () => {
  await world.end();
  await provider.end();
});

const rebinding = [['127.0.0.1'], ['10.0.0.7']];
const names: Record<string, () => string[]> = {
  'inside.example': () => ['10.0.0.7'],
  'both.example': () => ['127.0.0.1', '10.0.0.7'],
  'rebind.example': () => rebinding.shift() ?? ['10.0.0.7'],
};

type Given = BodyOf<typeof createUserAuthMethod>;
function method(more: Partial<Given> & { issuer?: string } = {}): Given {
  const { clientId, clientSecret } = provider;
  const { issuer = provider.issuer, ...rest } = more;
  return { label: 'Test login', protocol: 'oidc', config: { issuer, clientId, clientSecret }, ...rest };
}

const create = (body: Given, { id: projectId } = project) =>
  owner.client.call(createUserAuthMethod, { params: { projectId }, body });
const paramsOf = ({ id: methodId }: { id: string }, { id: projectId } = project) => ({ projectId, methodId });

const key = { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' };
const good = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
});

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a sign-in method', () => {
  it('is kept once its provider was looked at, and says what was found', async () => {
    const made = await create(method({ description: 'For everybody' }));
    expect(made).toMatchObject({
      label: 'Test login',
      description: 'For everybody',
      iconUrl: '',
      protocol: 'oidc',
      config: { issuer: provider.issuer, clientId: provider.clientId },
      redirectUri: `${world.url}/api/userAuth/callback`,
      revision: 1,
    });
    expect(made.findings).toContainEqual({ level: 'ok', text: 'It supports PKCE with S256.' });
    expect(made.findings).toContainEqual({ level: 'ok', text: 'The key set has 1 key.' });
    const { findings: _, ...kept } = made;
    expect(await owner.client.call(readUserAuthMethod, { params: paramsOf(made) })).toEqual(kept);
    const all = await owner.client.call(listUserAuthMethods, { params: { projectId: project.id } });
    expect(all).toContainEqual(kept);
  });

  it('never answers its client secret, and keeps it sealed', async () => {
    const secret = 'never-to-be-seen-again';
    const config = { issuer: provider.issuer, clientId: 'c', clientSecret: secret };
    const made = await create(method({ config }));
    const params = paramsOf(made);
    const edited = await owner.client.call(editUserAuthMethod, {
      params,
      body: { config: { clientSecret: `${secret}-2` } },
    });
    const read = await owner.client.call(readUserAuthMethod, { params });
    expect(JSON.stringify([made, edited, read])).not.toContain(secret);
    const { db, sealing } = world.platform;
    const rows = await db.many(sql`select * from user_auth_methods where id = ${made.id}`);
    const entries = await db.many(sql`select * from log_entries where project_id = ${project.id}`);
    expect(JSON.stringify([rows, entries])).not.toContain(secret);
    const [row] = await db.many<{ client_secret: Buffer }>(
      sql`select client_secret from user_auth_methods where id = ${made.id}`,
    );
    expect(sealing.open(row?.client_secret ?? Buffer.alloc(0))).toBe(`${secret}-2`);
  });

  it('changes only what is sent, and looks at the issuer again only when it is sent', async () => {
    const made = await create(method());
    const params = paramsOf(made);
    const edited = await owner.client.call(editUserAuthMethod, {
      params,
      body: { label: 'Other' },
      ifMatch: 1,
    });
    expect(edited).toMatchObject({ label: 'Other', config: made.config, revision: 2, findings: [] });
    const again = await owner.client.call(editUserAuthMethod, {
      params,
      body: { config: { issuer: provider.issuer } },
    });
    expect(again.findings.length).toBeGreaterThan(3);
    const stale = owner.client.call(editUserAuthMethod, { params, body: { label: 'Late' }, ifMatch: 2 });
    await failing(stale, 'STALE');
    const moved = { config: { issuer: 'http://127.0.0.1:1' } };
    await failing(owner.client.call(editUserAuthMethod, { params, body: moved }), 'ADDRESS_REFUSED');
    expect((await owner.client.call(readUserAuthMethod, { params })).config).toEqual(made.config);
  });

  it('does not hand its secret to another issuer: with the issuer the secret must be given anew', async () => {
    await using thief = await aWebServer((request, response) => {
      response.end(
        JSON.stringify(request.url === '/keys' ? { keys: [key] } : good(`http://${request.headers.host}`)),
      );
    });
    const made = await create(method());
    const params = paramsOf(made);
    const issuer = `http://127.0.0.1:${thief.port}`;
    const edit = owner.client.call(editUserAuthMethod, { params, body: { config: { issuer } } });
    expect((await failing(edit, 'INVALID_FIELDS')).fields).toEqual({ 'config.clientSecret': 'REQUIRED' });
    expect((await owner.client.call(readUserAuthMethod, { params })).config).toEqual(made.config);
    const config = { issuer, clientSecret: 'new' };
    await owner.client.call(editUserAuthMethod, { params, body: { config } });
  });

  it('is gone once it is deleted', async () => {
    const made = await create(method());
    const params = paramsOf(made);
    await failing(owner.client.call(deleteUserAuthMethod, { params, ifMatch: 7 }), 'STALE');
    await owner.client.call(deleteUserAuthMethod, { params });
    await failing(owner.client.call(readUserAuthMethod, { params }), 'USER_AUTH_METHOD_NOT_FOUND');
    await failing(owner.client.call(deleteUserAuthMethod, { params }), 'USER_AUTH_METHOD_NOT_FOUND');
  });

  it('is of one project: another of the same owner does not know it', async () => {
    const made = await create(method());
    const other = await world.aProject(owner);
    const params = paramsOf(made, other);
    await failing(owner.client.call(readUserAuthMethod, { params }), 'USER_AUTH_METHOD_NOT_FOUND');
    await failing(owner.client.call(deleteUserAuthMethod, { params }), 'USER_AUTH_METHOD_NOT_FOUND');
  });

  it('is read, but not changed, by a viewer', async () => {
    const made = await create(method());
    const viewer = await world.aDeveloper();
    const params = { projectId: project.id };
    await owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    await viewer.client.call(readUserAuthMethod, { params: paramsOf(made) });
    await failing(viewer.client.call(createUserAuthMethod, { params, body: method() }), 'ROLE_TOO_LOW');
    const edit = { params: paramsOf(made), body: { label: 'x' } };
    await failing(viewer.client.call(editUserAuthMethod, edit), 'ROLE_TOO_LOW');
    await failing(viewer.client.call(deleteUserAuthMethod, { params: paramsOf(made) }), 'ROLE_TOO_LOW');
  });

  it('is one of twenty at most, however many are added at once', async () => {
    const full = await world.aProject(owner);
    const { platform } = world;
    const some = await create(method(), full);
    await platform.db.run(sql`
      insert into user_auth_methods (project_id, id, label, protocol, issuer, client_id, client_secret, created_at)
      select project_id, 'uam_' || n, label, protocol, issuer, client_id, client_secret, created_at
      from user_auth_methods, generate_series(1, 17) n where id = ${some.id}`);
    const added = await Promise.allSettled(Array.from({ length: 8 }, () => create(method(), full)));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await failing(create(method(), full), 'TOO_MANY_METHODS');
    const all = await owner.client.call(listUserAuthMethods, { params: { projectId: full.id } });
    expect(all).toHaveLength(20);
  });

  it.each([
    ['no label', { label: ' ' }],
    ['a label of two lines', { label: 'a\nb' }],
    ['another protocol', { protocol: 'saml' as 'oidc' }],
    ['an empty secret', { config: { issuer: 'https://x.example', clientId: 'c', clientSecret: '' } }],
    ['no issuer', { config: { issuer: '', clientId: 'c', clientSecret: 's' } }],
  ])('with %s is refused before anything is called', async (_what, more) => {
    await failing(create(method(more)), 'INVALID_FIELDS');
  });
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
  it.each(refused)('%s is refused in plain words, with the field marked', async issuer => {
    const failure = await failing(create(method({ issuer })), 'ADDRESS_REFUSED');
    expect(failure.fields).toEqual({ 'config.issuer': 'ADDRESS_REFUSED' });
    expect(failure.context).toEqual({ address: expect.stringMatching(/^(It|This)/) });
  });

  it('is refused when it is this platform itself', async () => {
    const { port } = new URL(world.url);
    const failure = await failing(create(method({ issuer: `http://127.0.0.1:${port}` })), 'ADDRESS_REFUSED');
    expect(failure.context).toEqual({ address: 'It leads back to this platform.' });
  });

  it('whose name leads elsewhere at the second look is refused at the second look', async () => {
    await using server = await aWebServer((_request, response) => response.end('{}'));
    const issuer = `http://rebind.example:${server.port}`;
    const first = await failing(create(method({ issuer })), 'ISSUER_UNFIT');
    expect(first.context).toMatchObject({ cause: 'Its discovery document has no usable issuer.' });
    await failing(create(method({ issuer })), 'ADDRESS_REFUSED');
    expect(server.asked).toHaveLength(1);
  });

  it('that names itself otherwise is refused with the name it gives', async () => {
    for (const issuer of [`${provider.issuer}/`, provider.issuer.replace('http:', 'HTTP:')]) {
      const failure = await failing(create(method({ issuer })), 'ISSUER_MISMATCH');
      expect(failure.context).toMatchObject({ found: provider.issuer });
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
      'with no algorithm that can be checked',
    ],
    [
      'no way for a secret',
      issuer => ({ ...good(issuer), token_endpoint_auth_methods_supported: ['private_key_jwt'] }),
      'ISSUER_UNFIT',
      'does not take a client secret',
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
      'no key to check signatures with',
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
  it.each(answers)('that answers with %s is refused, and says so', async (_what, answer, reason, cause) => {
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

  it('without PKCE is kept, with a warning', async () => {
    await using server = await aWebServer((request, response) => {
      const issuer = `http://${request.headers.host}`;
      response.end(JSON.stringify(request.url === '/keys' ? { keys: [key] } : good(issuer)));
    });
    const { findings } = await create(method({ issuer: `http://127.0.0.1:${server.port}` }));
    expect(findings).toContainEqual({
      level: 'warn',
      text: 'It does not say whether it supports PKCE. A challenge is sent all the same.',
    });
  });

  it('that redirects is refused with where it redirects to', async () => {
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
    expect(failure.message).toContain('It refuses the connection.');
  });
});

describe('an icon', () => {
  const pictures: Record<string, Buffer | string> = {
    '/a.png': png,
    '/svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    '/html': '<html>',
    '/empty': '',
    '/large': Buffer.concat([png, Buffer.alloc(100_000)]),
  };
  const serve = () =>
    aWebServer((request, response) => {
      const picture = pictures[request.url ?? ''];
      if (request.url === '/moved') response.writeHead(302, { location: '/a.png' }).end();
      else if (request.url === '/inside')
        response.writeHead(302, { location: 'http://10.0.0.7/a.png' }).end();
      else
        response.writeHead(picture === undefined ? 404 : 200, { 'content-type': 'image/png' }).end(picture);
    });

  it('is fetched once and shown from here', async () => {
    await using server = await serve();
    const iconUrl = `http://127.0.0.1:${server.port}/moved`;
    const made = await create(method({ iconUrl }));
    expect(made.iconUrl).toBe(iconUrl);
    await server[Symbol.asyncDispose]();
    const response = await owner.fetch(`${world.url}/api${pathOf(readUserAuthIcon, paramsOf(made))}`);
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringContaining('attachment'),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  it('goes when its address is emptied', async () => {
    await using server = await serve();
    const made = await create(method({ iconUrl: `http://127.0.0.1:${server.port}/a.png` }));
    const params = paramsOf(made);
    expect(await owner.client.call(editUserAuthMethod, { params, body: { iconUrl: '' } })).toMatchObject({
      iconUrl: '',
    });
    const response = await owner.fetch(`${world.url}/api${pathOf(readUserAuthIcon, params)}`);
    expect(response.status).toBe(404);
  });

  it.each(['svg', 'html', 'empty', 'large', 'nothing'])('that is %s is refused', async what => {
    await using server = await serve();
    const failure = await failing(
      create(method({ iconUrl: `http://127.0.0.1:${server.port}/${what}` })),
      'ICON_UNFIT',
    );
    expect(failure.fields).toEqual({ iconUrl: 'ICON_UNFIT' });
  });

  it.each([
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'http://example.com/a.png',
    'https://10.0.0.7/a.png',
  ])('at %s is refused', async iconUrl => {
    const failure = await failing(create(method({ iconUrl })), 'ADDRESS_REFUSED');
    expect(failure.fields).toEqual({ iconUrl: 'ADDRESS_REFUSED' });
  });

  it('whose address redirects inside is refused', async () => {
    await using server = await serve();
    await failing(create(method({ iconUrl: `http://127.0.0.1:${server.port}/inside` })), 'ADDRESS_REFUSED');
  });
});
