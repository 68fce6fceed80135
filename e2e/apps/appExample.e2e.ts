import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { build } from 'vite';
import { createApp } from '#contract/app.ts';
import { editProject } from '#contract/project.ts';
import { createUser } from '#contract/user.ts';
import { connectDevice } from '#sdk/device.ts';
import { newestMail, password } from '#test/newcomer.ts';
import { aDevice, deviceAddress, test } from '../devices/devicePage.ts';
import { anEmail, expect } from '../world.ts';

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
let folder: string;
let server: Server;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-app-'));
  const configFile = join(import.meta.dirname, '../../examples/app/vite.config.ts');
  await build({ configFile, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
  // Served from its own origin, as apps are.
  server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const file = path === '/' ? 'index.html' : path.slice(1);
    if (!/^[\w./-]+$/.test(file) || file.includes('..') || file === 'favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' });
    response.end(readFileSync(join(folder, file)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
});
test.afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A browser with the app open. */
async function aPhone(browser: Browser, url: string, app: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams({ url, app })}`);
  return page;
}

/** A user who registers with the code from the e-mail. */
async function aPerson(browser: Browser, url: string, app: string, email: string): Promise<Page> {
  const page = await aPhone(browser, url, app);
  await page.getByLabel('E-mail').first().fill(email);
  await page.getByLabel('Password').first().fill(password);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByLabel('Code from the e-mail').waitFor();
  const code = /\b\d{6}\b/.exec((await newestMail(url, email))?.text ?? '')?.[0] ?? '';
  await page.getByLabel('Code from the e-mail').fill(code);
  await page.getByRole('button', { name: 'Verify' }).click();
  return page;
}

test('a password set by the developer must be changed in the app first', async ({
  browser,
  platform,
  developer,
  project: { id: projectId },
}) => {
  const { id } = await developer.client.call(createApp, { params: { projectId }, body: { id: 'lamps' } });
  const email = anEmail('mari');
  await developer.client.call(createUser, { body: { projectId, email, password } });
  const page = await aPhone(browser, platform.url, `${id}@${projectId}`);
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Sign in' }) });
  await form.getByLabel('E-mail').fill(email);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('New password').fill('some other lantern 8');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('button', { name: 'Create home' })).toBeVisible();
  await page.context().close();
});

for (const accessControl of ['legacy', 'by roles'] as const) {
  test(`an app on the SDK brings two people to one lamp, access control ${accessControl}`, async ({
    browser,
    page: developersPage,
    platform,
    developer,
    project,
  }) => {
    const hasRoles = accessControl === 'by roles';
    const params = { projectId: project.id };
    if (hasRoles)
      await developer.client.call(editProject, {
        params,
        body: { enablePermissionBasedAccessControl: true },
      });
    const { id } = await developer.client.call(createApp, { params, body: { id: 'lamps' } });
    const app = `${id}@${project.id}`;
    const device = await aDevice(developer, project, { name: 'Hall lamp' });
    const lamp = connectDevice({ url: platform.url, deviceId: device.id, apiKey: device.apiKey ?? '' });
    try {
      lamp.onDelta(({ state }) => void lamp.reportState(state));
      await developersPage.goto(deviceAddress(device));
      await expect(developersPage.getByText(device.claimCode ?? '?').first()).toBeVisible();

      const owner = await aPerson(browser, platform.url, app, anEmail('mari'));
      await owner.getByLabel('Name').fill('Nest');
      await owner.getByRole('button', { name: 'Create home' }).click();
      await owner.getByLabel('Claim code').fill(device.claimCode ?? '');
      await owner.getByRole('button', { name: 'Add device' }).click();
      await expect(owner.getByText('Hall lamp is connected and reports off')).toBeVisible();
      await owner.getByRole('checkbox', { name: 'Light' }).click();
      await expect(owner.getByText('Hall lamp is connected and reports on')).toBeVisible();

      const email = anEmail('jaan');
      const invite = owner.locator('form', { has: owner.getByRole('button', { name: 'Invite' }) });
      await invite.getByLabel('E-mail').fill(email);
      if (hasRoles)
        await invite.getByLabel('As').selectOption({ label: 'guest of Hall lamp until tomorrow' });
      await invite.getByRole('button', { name: 'Invite' }).click();
      await expect.poll(async () => (await newestMail(platform.url, email))?.subject).toContain('Nest');
      const guest = await aPerson(browser, platform.url, app, email);
      await guest.getByRole('button', { name: 'Join Nest' }).click();
      await expect(guest.getByText('Hall lamp is connected and reports on')).toBeVisible();
      await owner.getByRole('checkbox', { name: 'Light' }).click();
      await expect(guest.getByText('Hall lamp is connected and reports off')).toBeVisible();
      await expect(guest.getByRole('checkbox', { name: 'Light' })).toBeEnabled({ enabled: !hasRoles });
      await owner.context().close();
      await guest.context().close();
    } finally {
      lamp.close();
    }
  });
}
