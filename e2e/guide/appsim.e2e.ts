import type { FrameLocator, Page } from '@playwright/test';
import { readDeveloper } from '#contract/account.ts';
import { createChannel } from '#contract/channel.ts';
import { listDevices } from '#contract/device.ts';
import { listProjects } from '#contract/project.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { aBundle } from '../firmware/firmwarePage.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../world.ts';
import { newestCode, registerOn } from './appsimPage.ts';

test.use({ sampleProject: 'on' });

test('the tour opens app and device side by side, and a tap is shown on its way to the lamp and back', async ({
  page,
  context,
  open,
  developer,
  platform,
  watch,
}) => {
  test.slow();
  const [sample] = (await developer.client.call(listProjects, {})).items;
  const projectId = sample?.id ?? '';
  await page.goto('/projects');
  await page.getByRole('button', { name: 'Explore the sample' }).click();
  await expect(page.getByRole('region', { name: 'Your tour' })).toBeVisible();
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Open app and device' }).click();
  const app = await opened;
  watch(app);
  await expect(app).toHaveURL(`/appsim/${projectId}/home-app?el=1&onboard=1`);
  const device = app.frameLocator('iframe[title="Device simulator"]');
  await expect(device.getByText('Connected', { exact: true }).first()).toBeVisible();
  await expectAccessible(app);

  // Sign in.
  await registerOn(app, platform.url);
  await app.getByRole('button', { name: 'Create home' }).click();
  await expect(app.getByText('No devices yet.')).toBeVisible();

  // Claim: the code of the device beside it is already filled in.
  await app.getByRole('button', { name: 'Claim device' }).click();
  const tiles = app.getByRole('list', { name: 'Devices' });
  await expect(tiles.getByRole('button', { name: 'Desk lamp' })).toBeVisible();

  // Switch.
  await tiles.getByRole('switch', { name: 'Light' }).click();
  await expect(device.getByRole('switch', { name: 'on' })).toBeChecked();
  const hops = app.getByRole('list', { name: 'Hops of Light of Desk lamp' });
  await expect(hops).toContainText('App notified over the stream');
  await expect(hops.getByRole('listitem')).toHaveText([
    /Light of Desk lamp/,
    /App call arrived/,
    /Sent to the device/,
    /Device acknowledged/,
    /Device reported on/,
    /App notified over the stream/,
  ]);
  await tiles.getByRole('button', { name: 'Desk lamp' }).click();
  await app.getByText('blink', { exact: true }).click();
  await app.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(app.getByRole('status').filter({ hasText: /^Done/ })).toBeVisible();
  await expect(app.getByRole('list', { name: 'Hops of blink to Desk lamp' })).toContainText(
    'Device answered ok',
  );
  await expectAccessible(app);

  // Offline and back online, before the device was read again.
  const ofClass = /\/devices\/\w+\/class$/;
  await app.route(ofClass, route => route.fulfill({ status: 404 }));
  await app.getByRole('button', { name: 'Back', exact: true }).click();
  await app.getByRole('button', { name: 'Go offline' }).click();
  await tiles.getByRole('switch', { name: 'Light' }).click();
  await expect(tiles.getByRole('alert')).toContainText('did not answer');
  await expect(hops).toContainText('CONNECTION_ERROR');
  await app.unroute(ofClass);
  await app.getByRole('button', { name: 'Go online' }).click();
  await tiles.getByRole('switch', { name: 'Light' }).click();
  await expect(device.getByRole('switch', { name: 'on' })).not.toBeChecked();
  await tiles.getByRole('switch', { name: 'Light' }).click();
  await expect(device.getByRole('switch', { name: 'on' })).toBeChecked();

  // A second press counts even if the first is not answered yet.
  const mayGo = Promise.withResolvers<void>();
  await app.route(/\/devices\/\w+\/desired$/, async route => {
    await mayGo.promise;
    await route.continue();
  });
  await tiles.getByRole('switch', { name: 'Light' }).click();
  await expect(tiles.getByRole('switch', { name: 'Light' })).not.toBeChecked();
  await tiles.getByRole('switch', { name: 'Light' }).click();
  await expect(tiles.getByRole('switch', { name: 'Light' })).toBeChecked();
  mayGo.resolve();

  await consents({ app, device, console: page }, developer, { projectId, url: platform.url });

  // Alert.
  await device.getByLabel('Event name').fill('overheated');
  await device.getByRole('checkbox', { name: 'Raise an alert' }).check();
  await device.getByLabel('Text', { exact: true }).fill('The lamp is at 71 °C');
  await device.getByRole('button', { name: 'Send event' }).click();
  const nav = app.getByRole('navigation', { name: 'App' });
  await expect(nav.getByRole('button', { name: 'Alerts 1 open' })).toBeVisible();
  await nav.getByRole('button', { name: 'Alerts 1 open' }).click();
  await app.getByRole('button', { name: 'Seen' }).click();
  await expect(nav.getByRole('button', { name: 'Alerts', exact: true })).toBeVisible();

  // Share.
  const other = await (await open(developer)).context().newPage();
  watch(other);
  await other.goto(`/appsim/${projectId}/home-app`);
  const guest = await registerOn(other, platform.url);
  await nav.getByRole('button', { name: 'Members' }).click();
  await app.getByRole('button', { name: 'Invite' }).click();
  await app.getByLabel('E-mail').fill(guest);
  await app.getByRole('button', { name: 'Send invitation' }).click();
  await expect(app.getByRole('list', { name: 'Invited' })).toContainText(guest);
  await other.reload();
  await other.getByRole('button', { name: 'Accept' }).click();
  await other.getByRole('list', { name: 'Devices' }).getByRole('switch', { name: 'Light' }).click();
  await expect(device.getByRole('switch', { name: 'on' })).not.toBeChecked();
  await expect(tiles).toHaveCount(0);
  await expect(app.getByRole('list', { name: 'Members' }).getByRole('listitem')).toHaveCount(2);

  const params = { developerId: developer.developer.id };
  const { onboardStates } = await developer.client.call(readDeveloper, { params });
  expect(onboardStates.launched_app_sim).toBeDefined();
  expect(onboardStates.launched_dev_sim).toBeDefined();
});

/** The lamp asks before it updates: the update is postponed, then approved on the phone, and the console shows both. */
async function consents(
  { app, device, console: page }: { app: Page; device: FrameLocator; console: Page },
  developer: Newcomer,
  { projectId, url }: { projectId: string; url: string },
) {
  const { client } = developer;
  const panels = device.getByRole('group', { name: 'Panels' });
  await panels.getByRole('button', { name: 'Firmware' }).click();
  await device
    .getByRole('group', { name: 'Start updates' })
    .getByRole('button', { name: 'Manually' })
    .click();
  const deviceClass = 'lamp';
  const { id: bundleId } = await aBundle(developer, { id: projectId }, url, 'spring', '9.0', deviceClass);
  await client.call(createChannel, { body: { projectId, deviceClass, name: 'stable', bundleId } });
  // The app has the home open and is told by the stream.
  const tiles = app.getByRole('list', { name: 'Devices' });
  await expect(tiles).toContainText('new firmware waits for consent');
  const { items } = await client.call(listDevices, { query: { projectId, limit: 25 } });
  await page.goto(`/projects/${projectId}/devices/${items.find(({ name }) => name === 'Desk lamp')?.id}`);
  const firmware = page.getByRole('region', { name: 'Firmware' });
  await expect(firmware).toContainText('spring: Waits for consent');

  await tiles.getByRole('button', { name: 'Desk lamp' }).click();
  const card = app.getByRole('region', { name: 'Firmware' });
  await expect(card).toContainText('The device waits for your consent.');
  await expectAccessible(app);
  await card.getByRole('button', { name: 'Postpone until tomorrow' }).click();
  await expect(card).toContainText('Postponed. You will be asked again');
  await expect(firmware).toContainText('spring: Postponed in the app until');
  await card.getByRole('button', { name: 'Install now' }).click();
  await expect(firmware.getByRole('link', { name: 'spring' })).toBeVisible({ timeout: 30_000 });
  await expect(card).toHaveCount(0);
  await firmware.getByRole('button', { name: 'Why this version?' }).click();
  await expect(page.getByRole('dialog')).toContainText(/Approved in the app by \S/);
  await expectAccessible(page);
  await app.getByRole('button', { name: 'Back', exact: true }).click();
  await panels.getByRole('button', { name: 'Controls' }).click();
}

test('on a narrow screen, a user signs in by keyboard alone, and the error of a code is shown', async ({
  page,
  developer,
  platform,
  expectRefused,
}) => {
  expectRefused('400 POST /app/v1/*/verification', '404 POST /app/v1/*/devices/claim');
  test.slow();
  await page.setViewportSize({ width: 390, height: 844 });
  const [sample] = (await developer.client.call(listProjects, {})).items;
  await page.goto(`/appsim/${sample?.id}/home-app`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create account' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Fill in a made-up user' }).focus();
  await page.keyboard.press('Enter');
  const email = await page.getByLabel('E-mail').inputValue();
  await page.getByLabel('E-mail').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Code')).toBeVisible();
  const right = await newestCode(platform.url, email);
  await page.getByLabel('Code').focus();
  await page.keyboard.type(right === '123456' ? '654321' : '123456');
  await page.keyboard.press('Enter');
  await expect(page.getByText('CODE_WRONG', { exact: true })).toHaveCount(1);
  await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.getByLabel('Code').fill(right);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name')).toHaveValue('My home');
  await page.getByLabel('Name').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('No devices yet.')).toBeVisible();
  await expectNoSidewaysScroll(page);

  await page.getByRole('group', { name: 'Panels' }).getByRole('button', { name: 'Tools' }).click();
  const code = page.getByLabel('Claim code');
  await code.focus();
  await page.keyboard.type('lamp-No7');
  await expect(code).toHaveValue('lampNo7');
  await page.keyboard.press('Enter');
  await expect(page.getByText('CLAIM_CODE_WRONG', { exact: true })).toBeVisible();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByRole('group', { name: 'Panels' }).getByRole('button', { name: 'Traffic' }).click();
  const lines = page.getByRole('list', { name: 'Messages, newest first' });
  await lines.getByRole('button', { name: /POST .*\/sessions$/ }).click();
  const whole = page.getByRole('region', { name: 'Chosen message' });
  await expect(whole).toContainText('"password": "••••"');
  await expectAccessible(page);
});

test('a panel is shown as soon as it is chosen, even if the browser reports the address late', async ({
  page,
  developer,
}) => {
  await page.addInitScript(() => {
    window.addEventListener('hashchange', event => event.isTrusted && event.stopImmediatePropagation(), true);
  });
  await page.setViewportSize({ width: 390, height: 844 });
  const [sample] = (await developer.client.call(listProjects, {})).items;
  await page.goto(`/appsim/${sample?.id}/home-app`);
  await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible();
  await page.getByRole('group', { name: 'Panels' }).getByRole('button', { name: 'Tools' }).click();
  await expect(page.getByText('Sign in on the phone.')).toBeVisible();
});
