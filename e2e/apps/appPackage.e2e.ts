import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createApp } from '#contract/app.ts';
import { createUser } from '#contract/user.ts';
import { connectDevice } from '#sdk/device.ts';
import { newestMail, password } from '#test/newcomer.ts';
import { test } from '../devices/devicePage.ts';
import { anEmail, expect } from '../world.ts';

/** Installs the package from the running server into a new folder. */
function installed(url: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-app-sdk-'));
  const install = ['install', `${url}/sdk/mooring-app.tgz`, '--no-audit', '--no-fund'];
  execFileSync('npm', install, { cwd: folder, stdio: 'ignore' });
  return folder;
}

test('the example of the installed package leads a newcomer to a live device', async ({
  platform,
  developer,
  project,
  device,
}) => {
  const params = { projectId: project.id };
  await developer.client.call(createApp, { params, body: { id: 'lamps' } });
  const lamp = connectDevice({ url: platform.url, deviceId: device.id, apiKey: device.apiKey });
  lamp.onDelta(({ state }) => void lamp.reportState(state));
  lamp.onCommand('blink', args => ({ blinked: args }));
  const folder = installed(platform.url);

  const readme = readFileSync(join(folder, 'node_modules/@mooring/app/README.md'), 'utf8');
  const [email, guest] = [anEmail('mari'), anEmail('jaan')];
  const lines = (/```js\n(.*?)```/s.exec(readme)?.[1] ?? '')
    .replace('https://mooring.example.com', platform.url)
    .replace('thermo@prj_…', `lamps@${project.id}`)
    .replace('mari@example.com', email)
    .replace('jaan@example.com', guest);
  expect(lines.trim().split('\n').length).toBeLessThanOrEqual(23);
  writeFileSync(join(folder, 'lamp.mjs'), lines);
  const running = spawn(process.execPath, ['lamp.mjs'], {
    cwd: folder,
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  let said = '';
  for (const stream of [running.stdout, running.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const heard = (text: string) => expect.poll(() => said, { timeout: 15_000 }).toContain(text);
  try {
    await heard('Code from the e-mail: ');
    const mail = await newestMail(platform.url, email);
    running.stdin.write(`${/\b\d{6}\b/.exec(mail?.text ?? '')?.[0]}\n`);
    await heard('Claim code of the device: ');
    running.stdin.write(`${device.claimCode}\n`);
    await heard('true { on: true } { on: true }');
    await heard('{ blinked: { times: 3 } }');
    await expect.poll(async () => (await newestMail(platform.url, guest))?.subject).toContain('Home');
  } finally {
    running.kill();
    lamp.close();
    rmSync(folder, { recursive: true });
  }
});

test('only one of two tabs refreshes an expired token, and both are told who signs in and out', async ({
  context,
  platform,
  developer,
  project,
}) => {
  const params = { projectId: project.id };
  await developer.client.call(createApp, { params, body: { id: 'lamps' } });
  const email = anEmail('mari');
  const given = `${password} at first`;
  await developer.client.call(createUser, {
    body: { projectId: project.id, email, password: given, name: 'Mari' },
  });
  const folder = installed(platform.url);
  const app = `lamps@${project.id}`;
  const changed = await fetch(`${platform.url}/app/v1/${app}/passwordChange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, oldPassword: given, newPassword: password }),
  });
  expect(changed.status).toBe(204);
  const code = readFileSync(join(folder, 'node_modules/@mooring/app/app.js'), 'utf8');
  rmSync(folder, { recursive: true });
  // Served from its own origin, as apps are.
  const site = createServer(({ url = '' }, response) => {
    const isCode = url.endsWith('.js');
    response.writeHead(200, { 'content-type': isCode ? 'text/javascript' : 'text/html' });
    response.end(isCode ? code : '<title>App</title>');
  });
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const aTab = async () => {
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    await page.evaluate(
      async ({ options, file }) => {
        const { createApp } = await import(file);
        const app = createApp(options);
        const changes: unknown[] = [];
        app.onSession(({ user }: { user?: { name: string } }) => changes.push(user?.name));
        Object.assign(globalThis, { app, changes });
      },
      { options: { url: platform.url, app }, file: `${origin}/app.js` },
    );
    return page;
  };
  const [first, second] = [await aTab(), await aTab()];
  const run = <T>(page: Page, words: string) => page.evaluate<T>(words);
  await run(first, `app.signIn(${JSON.stringify(email)}, ${JSON.stringify(password)})`);
  await expect.poll(() => run(second, 'changes')).toEqual(['Mari']);

  // As if the app had been asleep until its token expired.
  await run(
    first,
    `{ const key = ${JSON.stringify(`mooring ${app} session`)};
    localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), freshUntilMs: 0 })) }`,
  );
  // A tab may learn late what the other stored, and then sends the same request again.
  const refreshed = new Set<string | undefined>();
  context.on('request', request => {
    if (request.method() !== 'POST' || !request.url().endsWith('/refresh')) return;
    refreshed.add(request.headers()['idempotency-key']);
  });
  const ask = 'Promise.all([1, 2, 3, 4, 5].map(() => app.homes())).then(all => all.length)';
  expect(await Promise.all([first, second].map(page => run(page, ask)))).toEqual([5, 5]);
  expect(refreshed.size).toBe(1);
  expect(refreshed).not.toContain(undefined);

  await run(second, 'app.signOut()');
  await expect.poll(() => run(first, 'changes.at(-1) ?? null')).toBe(null);
  expect(await run(first, 'app.user().then(user => user ?? null)')).toBe(null);
  site.closeAllConnections();
  site.close();
});
