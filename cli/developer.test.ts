import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { revokeAccessToken } from '#contract/accessToken.ts';
import { listChannels } from '#contract/channel.ts';
import { editComponent, listComponents } from '#contract/component.ts';
import { partBytesDefault, startVersionUpload } from '#contract/componentVersion.ts';
import { actOnRollout } from '#contract/rollout.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aToken } from '#test/accessTokens.ts';
import { aCli } from '#test/cli.ts';
import { aBundle } from '#test/firmware.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { put } from '#test/logRequests.ts';
import { until } from '#test/until.ts';
import { sha256 } from '#test/uploads.ts';
import { aReadyVersion, aVersion } from '#test/versions.ts';
import { unique } from '#test/world.ts';

/** The command line as a separate process, against a server. */
const at = aGatewayWorld();
let token: string;
let env: Record<string, string>;

beforeAll(async () => {
  ({ token } = await aToken(at.world, at.owner, { scope: 'firmware', projectIds: [at.projectId] }));
  env = { MOORING_URL: at.world.url, MOORING_TOKEN: token };
});

function aFile(home: string, bytes: Buffer): string {
  const path = join(home, 'firmware.bin');
  writeFileSync(path, bytes);
  return path;
}

describe('signing in', () => {
  it('stores URL and token in a file that only its owner can read, and removes them', async () => {
    const cli = aCli();
    expect(await cli.run(['projects', 'list'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('login'),
    });
    const made = await cli.run(['login'], { typed: `${at.world.url}/\n${token}\n` });
    expect(made).toMatchObject({ code: 0, err: expect.not.stringContaining(token) });
    expect(made.out).toContain(at.owner.email);
    const path = join(cli.home, '.config/mooring/config.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ url: at.world.url, token });
    const listed = await cli.run(['projects', 'list', '--json']);
    expect(JSON.parse(listed.out)).toMatchObject([{ id: at.projectId }]);
    await cli.run(['logout']);
    expect((await cli.run(['whoami'])).code).toBe(3);
  });

  it('never sends the stored token to another URL', async () => {
    const cli = aCli();
    await cli.run(['login'], { typed: `${at.world.url}\n${token}\n` });
    const heard: unknown[] = [];
    const other = createServer(({ headers }, response) => {
      heard.push(headers.authorization);
      response.end('{}');
    });
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const tried = await cli.run(['whoami'], { env: { MOORING_URL: `http://127.0.0.1:${port}` } });
    other.close();
    expect([tried.code, heard]).toEqual([3, []]);
  });

  it('stores nothing if the token is refused', async () => {
    const cli = aCli();
    const refused = await cli.run(['login', '--json'], { typed: `${at.world.url}\nmor_wrong\n` });
    expect([refused.code, JSON.parse(refused.err.split('\n').at(-2) ?? '')]).toMatchObject([
      3,
      { reason: 'NO_LOGIN' },
    ]);
    expect((await cli.run(['whoami'])).err).toContain('The address is missing');
  });
});

describe('the exit code', () => {
  it.each([
    [2, ['no', 'such', 'words']],
    [2, ['firmware', 'upload']],
    [2, ['channel', 'set', 'stable', '--bundle', 'x']],
    [2, ['devices', 'list', '--state', 'lost']],
    [4, ['devices', 'list', '--project', 'no such project']],
    [4, ['events', 'tail', '--device', 'dev_01k9x3m2h4e6d8b0a2c4e6g8j0']],
    [0, ['bundle', 'create', '--help']],
  ])('is %i after %j', async (code, words) => {
    expect((await aCli(env).run(words)).code).toBe(code);
  });

  it('is 5 if nobody answers, with an error message', async () => {
    const tried = await aCli(env).run(['whoami'], { env: { MOORING_URL: 'http://127.0.0.1:9' } });
    expect(tried).toMatchObject({ code: 5, err: expect.stringContaining('CONNECTION_ERROR') });
  });
});

const upload = (file: string, component: string, version: string, ...more: string[]) =>
  ['firmware', 'upload', file].concat(['--component', component, '--version', version], more);

describe('firmware upload', () => {
  it('creates the component and the version, and does nothing when repeated', async () => {
    const cli = aCli(env);
    const [component, bytes] = [unique('app'), randomBytes(70_000)];
    const words = upload(aFile(cli.home, bytes), component, '1.0.0', '--security-version', '3', '--json');
    const first = await cli.run(words);
    expect(first.code, first.err).toBe(0);
    const made = JSON.parse(first.out);
    expect(made).toMatchObject({ state: 'ready', checksum: sha256(bytes), securityVersion: 3 });
    expect(JSON.parse((await cli.run(words)).out)).toEqual({ ...made, url: expect.any(String) });
    aFile(cli.home, randomBytes(10));
    expect(await cli.run(words)).toMatchObject({ code: 1, err: expect.stringContaining('VERSION_HAS_FILE') });
  });

  it('does not report success for a file that somebody else uploaded meanwhile', async () => {
    const { id, componentName, name } = await aVersion(at.owner, at.projectId);
    const { db } = at.world.platform;
    await db.run(sql`update component_versions set state = 'verifying' where id = ${id}`);
    let looks = 0;
    const between = createServer(async ({ url = '', headers }, response) => {
      // The version was verified between the first read and the second.
      if (url === `/api/componentVersions/${id}` && ++looks === 2)
        await db.run(sql`
          update component_versions set state = 'ready', place = 'fil_other', filename = 'other.bin', size_bytes = 1,
            sha256 = ${sha256(Buffer.from('other'))} where id = ${id}`);
      const { authorization = '' } = headers;
      const answer = await fetch(at.world.url + url, { headers: { authorization } });
      const range = answer.headers.get('content-range');
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        ...(range && { 'content-range': range }),
      });
      response.end(await answer.text());
    });
    await new Promise<void>(resolve => between.listen(0, '127.0.0.1', resolve));
    const { port } = between.address() as { port: number };
    const cli = aCli({ ...env, MOORING_URL: `http://127.0.0.1:${port}` });
    const tried = await cli.run(upload(aFile(cli.home, Buffer.from('mine')), componentName, name));
    between.close();
    expect(tried).toMatchObject({ code: 1, out: '', err: expect.stringContaining('VERSION_HAS_FILE') });
    expect(looks).toBe(2);
  });

  it('does not wait forever if the file is not verified', async () => {
    const { id, componentName, name } = await aVersion(at.owner, at.projectId);
    await at.world.platform.db.run(sql`update component_versions set state = 'verifying' where id = ${id}`);
    const cli = aCli(env);
    const words = upload(aFile(cli.home, Buffer.from('mine')), componentName, name, '--wait', '0');
    expect(await cli.run(words)).toMatchObject({ code: 5, err: expect.stringContaining('STILL_VERIFYING') });
  });

  it('resumes an interrupted upload', async () => {
    const cli = aCli(env);
    const file = randomBytes(partBytesDefault + 1000);
    const { id: versionId, componentName, name } = await aVersion(at.owner, at.projectId);
    const body = { filename: 'firmware.bin', bytes: file.length, sha256: sha256(file) };
    const { urls } = await at.owner.client.call(startVersionUpload, { params: { versionId }, body });
    await put(urls[0] ?? '', new Uint8Array(file.subarray(0, partBytesDefault)));
    const done = await cli.run(upload(aFile(cli.home, file), componentName, name));
    expect(done).toMatchObject({ code: 0, err: expect.stringContaining('1 of 2 parts are stored') });
    expect(done.out).toContain(sha256(file));
  });

  it('signs only with a key of the component', async () => {
    const cli = aCli(env);
    const [right, wrong] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
    const { componentName: name } = await aVersion(at.owner, at.projectId);
    const query = { projectId: at.projectId, search: name };
    const [component] = (await at.owner.client.call(listComponents, { query })).items;
    const { x = '' } = right.publicKey.export({ format: 'jwk' });
    const publicKey = Buffer.from(x, 'base64url').toString('base64');
    await at.owner.client.call(editComponent, {
      params: { componentId: component?.id ?? '' },
      body: { signingKeys: [{ id: 'release', publicKey }] },
    });
    const file = aFile(cli.home, randomBytes(5000));
    const keys = [right, wrong].map(({ privateKey }, i) => {
      const path = join(cli.home, `key-${i}.pem`);
      writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }));
      return path;
    });
    const [none, other] = [
      await cli.run(upload(file, name, '2.0.0')),
      await cli.run(upload(file, name, '2.0.0', '--sign-key', keys[1] ?? '')),
    ];
    expect([none.err, other.err]).toEqual([
      expect.stringContaining('Pass the file'),
      expect.stringContaining('is not a signing key'),
    ]);
    const done = await cli.run(upload(file, name, '2.0.0', '--sign-key', keys[0] ?? '', '--json'));
    expect(JSON.parse(done.out)).toMatchObject({ state: 'ready', signature: { keyId: 'release' } });
  });

  it('reports the scope that the token lacks', async () => {
    const { token: reads } = await aToken(at.world, at.owner, { scope: 'read' });
    const cli = aCli({ ...env, MOORING_TOKEN: reads });
    const words = upload(aFile(cli.home, randomBytes(10)), unique('app'), '1', '--project', at.projectId);
    const refused = await cli.run(words);
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('TOKEN_SCOPE: This access token has the scope "read".');
  });
});

describe('a bundle', () => {
  it('is created from versions by name, and its channel is set only after confirmation', async () => {
    const cli = aCli(env);
    const { id: deviceClass } = await at.deviceClass();
    await at.device({ deviceClass });
    const [app, boot] = [
      await aReadyVersion(at.world, at.owner, at.projectId),
      await aReadyVersion(at.world, at.owner, at.projectId),
    ];
    const parts = [app, boot].map(one => `${one.componentName}=${one.name}`);
    const create = ['bundle', 'create', '--class', deviceClass, '--name', '2026.1', ...parts];
    const made = await cli.run([...create, '--json']);
    expect(made.code, made.err).toBe(0);
    expect(JSON.parse(made.out).components).toHaveLength(2);
    expect((await cli.run(create)).out).toContain('already exists');
    expect((await cli.run(create.slice(0, -1))).code).toBe(1);
    expect((await cli.run([...create.slice(0, -1), `${app.componentName}=none`])).code).toBe(4);

    const set = ['channel', 'set', 'stable', '--class', deviceClass, '--bundle', '2026.1'];
    const bundleOf = async () => {
      const query = { projectId: at.projectId, deviceClass };
      return (await at.owner.client.call(listChannels, { query })).items[0]?.bundleName;
    };
    const asked = await cli.run(set);
    expect(asked).toMatchObject({ code: 6, err: expect.stringContaining('1 device\n  updated: 1;') });
    expect(await bundleOf()).toBeUndefined();
    expect((await cli.run([...set, '--yes'])).code).toBe(0);
    expect(await bundleOf()).toBe('2026.1');
    expect((await cli.run(set)).out).toContain('already');
  });
});

describe('a rollout', () => {
  it('is started with the given steps, and reports its progress', async () => {
    const cli = aCli(env);
    const { id: deviceClass } = await at.deviceClass();
    await at.device({ deviceClass });
    const { name } = await aBundle(at.world, { projectId: at.projectId, deviceClass });
    const words = ['channel', 'set', 'stable', '--class', deviceClass, '--bundle', name];
    expect((await cli.run([...words, '--rollout', '50,20'])).code).toBe(2);
    const started = await cli.run([...words, '--rollout', '10,100', '--rate', '30', '--yes', '--json']);
    expect(started.code, started.err).toBe(0);
    const rollout = JSON.parse(started.out);
    expect(rollout).toMatchObject({ state: 'running', rate: 30 });
    expect(rollout.steps).toMatchObject([
      { percent: 10, startsBy: 'itself' },
      { percent: 100, startsBy: 'itself' },
    ]);
    const told = await cli.run(['rollout', 'status', '--class', deviceClass]);
    expect(told.out).toContain(`${rollout.id}: ${deviceClass}, channel stable`);
    const params = { rolloutId: rollout.id };
    await at.owner.client.call(actOnRollout, { params, body: { action: 'stop' } });
    expect((await cli.run(['rollout', 'status', rollout.id, '--wait'])).code).toBe(7);
  });
});

describe('devices and their events', () => {
  it('are listed by filters, and received live until the token is revoked', async () => {
    const { id, token: own } = await aToken(at.world, at.owner, { scope: 'read' });
    const cli = aCli({ ...env, MOORING_TOKEN: own });
    const { id: deviceClass } = await at.deviceClass();
    const device = await at.device({ deviceClass });
    const project = ['--project', at.projectId];
    const found = await cli.run([
      'devices',
      'list',
      ...project,
      '--class',
      deviceClass,
      '--state',
      'never',
      '--json',
    ]);
    expect(JSON.parse(found.out)).toMatchObject([{ id: device.id }]);
    expect((await cli.run(['devices', 'list', ...project, '--search', device.tag])).out).toContain(device.id);

    const tail = cli.start(['events', 'tail', ...project, '--class', deviceClass, '--json']);
    await using hardware = await at.connect(device);
    // The stream opens at an unknown time, and events sent before are lost, so this sends until one arrives.
    const heard = await until(async () => {
      await hardware.say('events/door', { open: true });
      return tail.said.out || undefined;
    });
    const sent = { deviceId: device.id, name: 'door', payload: { open: true } };
    expect(JSON.parse(heard.split('\n')[0] ?? '')).toMatchObject(sent);
    const params = { developerId: at.owner.developer.id, tokenId: id };
    await at.owner.client.call(revokeAccessToken, { params });
    const ended = await tail.ended;
    expect(ended).toMatchObject({ code: 3, err: expect.stringContaining('NO_LOGIN') });
  });
});
