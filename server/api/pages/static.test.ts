import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aWorld, type World } from '#test/world.ts';

let world: World;
const dir = mkdtempSync(join(tmpdir(), 'mooring-console-'));

beforeAll(async () => {
  mkdirSync(join(dir, 'assets'));
  mkdirSync(join(dir, 'simulators'));
  writeFileSync(join(dir, 'index.html'), '<title>Console</title><script>console.log(1)</script>');
  writeFileSync(join(dir, 'simulators/devicesim.html'), '<title>Devicesim</title><style>b{}</style>');
  writeFileSync(join(dir, 'simulators/appsim.html'), '<title>Appsim</title>');
  writeFileSync(join(dir, 'assets/a-123.js'), 'export {}');
  world = await aWorld({}, { consoleDir: dir });
});
afterAll(async () => {
  await world.end();
  rmSync(dir, { recursive: true });
});

const get = (path: string) => fetch(world.url + path);
const title = async (path: string) => /<title>(\w+)/.exec(await (await get(path)).text())?.[1];

it('every other address is a page of the console', async () => {
  expect(await title('/')).toBe('Console');
  expect(await title('/projects/prj_1/device_classes')).toBe('Console');
  expect(await title('/devicesimulator')).toBe('Console');
  expect((await get('/assets/a-124.js')).status).toBe(404);
  expect((await get('/assets/a-123.js')).headers.get('cache-control')).toContain('immutable');
});

it.each([
  ['/api/auth/password', 'POST, OPTIONS'],
  ['/app/v1/a@prj_1/verification', 'POST, OPTIONS'],
  ['/device/v1/state', 'POST'],
])('%s answers 405 to a GET, although the console answers most addresses', async (path, allow) => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await fetch(world.url + path, { method });
    expect([method, status, headers.get('allow')]).toEqual([method, 405, allow]);
  }
  expect((await get(`${path}/nowhere`)).status).toBe(404);
});

it('the device simulator has its own page, with and without a trailing slash', async () => {
  expect(await title('/devicesim/?deviceId=dev_1&apiKey=x')).toBe('Devicesim');
  expect(await title('/devicesim')).toBe('Devicesim');
  expect((await get('/simulators/devicesim.html')).status).toBe(404);
});

it('the app simulator has a page for each app, and one for choosing an app', async () => {
  expect(await title('/appsim')).toBe('Appsim');
  expect(await title('/appsim/prj_1/home-app?el=1')).toBe('Appsim');
  expect(await title('/appsim/prj_1/home-app/more')).toBe('Console');
});

it('only the device simulator can be framed, by pages of the same origin', async () => {
  const policy = async (path: string) => (await get(path)).headers.get('content-security-policy') ?? '';
  expect(await policy('/devicesim/')).toContain("frame-ancestors 'self'");
  for (const path of ['/', '/appsim/prj_1/home-app'])
    expect(await policy(path)).toContain("frame-ancestors 'none'");
});

it('the device simulator connects only to its own server', async () => {
  const { headers } = await get('/devicesim/');
  const policy = headers.get('content-security-policy') ?? '';
  const { host } = new URL(world.url);
  expect(policy).toContain(`connect-src 'self' ws://${host} wss://${host}`);
  expect(policy).toMatch(/script-src 'self';/);
  expect(policy).toMatch(/style-src 'self' 'sha256-/);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect((await get('/')).headers.get('content-security-policy')).not.toContain('ws:');
});

it('a rebuilt page is served at once, and its previous version during the build', async () => {
  const page = join(dir, 'simulators/appsim.html');
  rmSync(page);
  expect(await title('/appsim')).toBe('Appsim');
  writeFileSync(page, '<title>Rebuilt</title><script>console.log(2)</script>');
  expect(await title('/appsim')).toBe('Rebuilt');
  expect((await get('/appsim')).headers.get('content-security-policy')).toContain("'sha256-");
  writeFileSync(page, '<title>Appsim</title>');
});
