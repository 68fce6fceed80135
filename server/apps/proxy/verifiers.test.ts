import { execFileSync, spawnSync } from 'node:child_process';
import { createPublicKey, type JsonWebKey, verify as verifyEd25519 } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSigningKey, rotateSigningKey } from '#contract/proxyRoute.ts';
import { anApp } from '#test/apps.ts';
import { aBackEnd, aRoute, type BackEnd, type Received } from '#test/backEnds.ts';
import { anEndUser, type EndUser } from '#test/endUsers.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

/** Runs the verifiers from the docs, unchanged, on real requests of the proxy. */
const docs = readFileSync(join(import.meta.dirname, '../../../docs/app-proxy.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'mooring-verifiers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = aProjectWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });

interface Checked {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  keys: Record<string, string>;
  now: number;
}

function codeOf(name: string): string {
  const found = new RegExp(`\`\`\`\\w+ ${name.replace('.', '\\.')}\n([\\s\\S]*?)\n\`\`\``).exec(docs)?.[1];
  if (found === undefined) throw new Error(`The docs have no ${name}.`);
  writeFileSync(join(folder, name), found);
  return found;
}

const runs: Record<
  string,
  { command: string; version: string; check: (all: Checked[]) => Promise<boolean[]> }
> = {
  'verifier.mjs': {
    command: process.execPath,
    version: '--version',
    check: async all => {
      const { verify } = await import(pathToFileURL(join(folder, 'verifier.mjs')).href);
      return all.map(({ keys, now, body, ...request }) =>
        verify({ ...request, body: Buffer.from(body) }, keys, now),
      );
    },
  },
  'verifier.py': {
    command: 'python3',
    version: '--version',
    check: async all => {
      const code = `import json, sys; sys.path.insert(0, ${JSON.stringify(folder)}); from verifier import verify
print(json.dumps([verify(c["method"], c["url"], c["headers"], c["body"].encode(), c["keys"], c["now"]) for c in json.load(sys.stdin)]))`;
      return JSON.parse(execFileSync('python3', ['-c', code], { input: JSON.stringify(all) }).toString());
    },
  },
  'verifier.go': {
    command: 'go',
    version: 'version',
    check: async all => {
      writeFileSync(
        join(folder, 'main.go'),
        `package main
import ("encoding/json"; "os")
type checked struct { Method, Url, Body string; Headers, Keys map[string]string; Now int64 }
func main() {
  var all []checked
  json.NewDecoder(os.Stdin).Decode(&all)
  found := []bool{}
  for _, c := range all { found = append(found, Verify(c.Method, c.Url, c.Headers, []byte(c.Body), c.Keys, c.Now)) }
  json.NewEncoder(os.Stdout).Encode(found)
}`,
      );
      const env = { ...process.env, GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod', GO111MODULE: 'off' };
      const files = ['main.go', 'verifier.go'].map(name => join(folder, name));
      return JSON.parse(
        execFileSync('go', ['run', ...files], { input: JSON.stringify(all), env }).toString(),
      );
    },
  },
};

const isThere = ({ command, version }: { command: string; version: string }) =>
  spawnSync(command, [version]).status === 0;

let backEnd: BackEnd;
let user: EndUser;
let routeId: string;
beforeAll(async () => {
  backEnd = await aBackEnd();
  user = await anEndUser(at.world, await anApp(at.owner, at.projectId));
  routeId = (await aRoute(at, `${backEnd.url}/base`, { sourcePath: '/signed' })).id;
});
afterAll(() => backEnd[Symbol.asyncDispose]());

async function received(init: RequestInit = {}): Promise<Received> {
  await (await user.fetch(`${user.baseUrl}/projects/${at.projectId}/appProxy/signed/a%20b?c=d`, init)).text();
  return backEnd.received.at(-1) as Received;
}

/** As in a back end, whose own address comes from its configuration. */
const checkedOf = (
  { method, url, headers, body }: Received,
  keys: Record<string, string>,
  now: number,
): Checked => ({
  method,
  headers,
  body,
  keys,
  now,
  url: `${backEnd.url}${url}`,
});

const nowS = () => Math.floor(at.world.now().getTime() / 1000);
const keysNow = async () => {
  const { keyId, secret = '' } = await at.owner.client.call(readSigningKey, { params: { routeId } });
  return { [keyId]: secret };
};

describe.each(Object.entries(runs))('%s of the docs', (name, run) => {
  it('has at most 40 lines', () => {
    expect(codeOf(name).split('\n').length).toBeLessThanOrEqual(40);
  });

  it.skipIf(!isThere(run))(
    `accepts what the proxy sends, and nothing else (needs ${run.command})`,
    { timeout: 90_000 },
    async () => {
      codeOf(name);
      const before = await keysNow();
      const post = checkedOf(await received({ method: 'POST', body: '{"a":1}' }), before, nowS());
      const get = checkedOf(await received(), before, nowS());
      await at.owner.client.call(rotateSigningKey, { params: { routeId }, body: {} });
      const rotated = checkedOf(await received(), before, nowS());
      const withHeader = (one: Checked, header: string, value: string) => ({
        ...one,
        headers: { ...one.headers, [header]: value },
      });
      const without = (one: Checked, header: string) => {
        const { [header]: _, ...headers } = one.headers;
        return { ...one, headers };
      };
      const right = [post, get, rotated, { ...rotated, keys: await keysNow() }];
      const wrong = [
        withHeader(post, 'x-mooring-user', 'usr_forged'),
        withHeader(post, 'x-mooring-role', 'owner'),
        withHeader(get, 'x-mooring-home', '1'),
        without(post, 'x-mooring-project'),
        { ...post, url: `${post.url}e` },
        { ...post, url: post.url.replace('/base', '/other') },
        { ...post, method: 'PUT' },
        { ...post, body: '{"a":2}' },
        { ...post, now: post.now + 301 },
        { ...post, now: post.now - 3600 },
        { ...post, keys: {} },
        { ...post, keys: { [Object.keys(before)[0] ?? '']: 'another' } },
        without(post, 'signature'),
        without(post, 'signature-input'),
        withHeader(post, 'signature', 'mooring=::'),
        withHeader(post, 'signature-input', 'mooring=();created=1;expires=9999999999;keyid="x"'),
        withHeader(
          post,
          'signature-input',
          (post.headers['signature-input'] ?? '').replace('expires=', 'expires=9'),
        ),
      ];
      const found = await run.check([...right, ...wrong]);
      expect(found).toEqual([...right.map(() => true), ...wrong.map(() => false)]);
    },
  );
});

it('an Ed25519 signature can be verified with the published key', async () => {
  const { signing } = await at.owner.client.call(rotateSigningKey, {
    params: { routeId },
    body: { algorithm: 'ed25519', graceS: 0 },
  });
  const { headers, url } = await received();
  const response = await fetch(`${at.world.url}/.well-known/mooring-proxy-keys/${at.projectId}`);
  const { keys } = (await response.json()) as { keys: (JsonWebKey & { kid: string })[] };
  const jwk = keys.find(({ kid }) => kid === signing.keyId);
  expect(jwk).not.toHaveProperty('d');
  const [, params = '', names = ''] =
    /^mooring=(\(([^)]*)\).*)$/.exec(headers['signature-input'] ?? '') ?? [];
  const values: Record<string, string> = {
    ...headers,
    '@method': 'GET',
    '@target-uri': `${backEnd.url}${url}`,
  };
  const lines = names.split(' ').map(name => `${name}: ${values[name.slice(1, -1)]}\n`);
  const base = `${lines.join('')}"@signature-params": ${params}`;
  const signature = Buffer.from(headers.signature?.slice('mooring=:'.length, -1) ?? '', 'base64');
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  expect(verifyEd25519(null, Buffer.from(base), key, signature)).toBe(true);
  const none = await fetch(`${at.world.url}/.well-known/mooring-proxy-keys/prj_none`);
  expect(await none.json()).toEqual({ keys: [] });
});
