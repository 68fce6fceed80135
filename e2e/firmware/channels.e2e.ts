import type { Page } from '@playwright/test';
import { createChannel } from '#contract/channel.ts';
import { aDevice, connected, deviceAddress, test } from '../devices/devicePage.ts';
import { test as bare, expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';
import { aBundle, channelAddress, install, nextTarget } from './firmwarePage.ts';

bare('a channel needs a device class first', async ({ page, project }) => {
  await page.goto(channelAddress(project));
  await expect(page.getByText('No channels yet')).toBeVisible();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await expect(
    dialog.getByText('You must have at least one device class before creating a channel.'),
  ).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Create device class' }).click();
  await expect(page).toHaveURL(/device_classes#new$/);
});

test('a channel is created, described, followed and deleted', async ({
  page,
  developer,
  project,
  platform,
}) => {
  await aBundle(developer, project, platform.url, 'winter-24', '1.0');
  await page.goto(channelAddress(project, '#new'));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toHaveValue('stable');
  await dialog.getByLabel('Name').fill('beta');
  await dialog.getByLabel('Bundle').selectOption('winter-24');
  await dialog.getByRole('button', { name: 'Create channel' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'beta' })).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Bundle', exact: true }).getByRole('link', { name: 'winter-24' }),
  ).toBeVisible();
  await expect(page.getByText('main 1.0').first()).toBeVisible();
  await expectAccessible(page);

  await page.keyboard.press('e');
  await page.getByLabel('Description').fill('Field test');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Field test')).toBeVisible();

  const device = await aDevice(developer, project, { name: 'Hall thermostat' });
  await page.goto(deviceAddress(device));
  await moveTo(page, 'beta');

  await page.goto(channelAddress(project));
  await page.getByRole('link', { name: /beta/ }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete channel' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 device follows it.');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('link', { name: '1 device' }).click();
  await expect(page).toHaveURL(/instances\?channel=beta/);
  await page.getByRole('link', { name: /Hall thermostat/ }).click();
  await moveTo(page, 'stable');
  await page.goto(channelAddress(project));
  await page.getByRole('link', { name: /beta/ }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete channel' }).click();
  await expect(page.getByText('Do you really want to delete channel beta of thermostat?')).toBeVisible();
  await page.getByRole('button', { name: 'Delete channel' }).click();
  await expect(page.getByText('No channels yet')).toBeVisible();
});

/** Moves a device from its page. The default channel is sent as an empty string. */
async function moveTo(page: Page, channel: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Move to channel' }).click();
  await page.getByRole('dialog').getByLabel('Channel').selectOption({ label: channel });
  const sent = page.waitForRequest(request => request.method() === 'PATCH');
  await page.getByRole('button', { name: 'Move device' }).click();
  expect((await sent).postDataJSON()).toEqual({ channel: channel === 'stable' ? '' : channel });
  await expect(page.getByText('Device moved')).toBeVisible();
}

test('the impact of another bundle is shown before anything changes', async ({
  page,
  developer,
  project,
  platform,
  device,
}) => {
  // Among the choices, which may not widen the page.
  await aBundle(developer, project, platform.url, 'W'.repeat(100), '0.9');
  const first = await aBundle(developer, project, platform.url, 'winter-24', '1.0');
  const body = { projectId: project.id, deviceClass: 'thermostat', name: 'stable', bundleId: first.id };
  const { id: channelId } = await developer.client.call(createChannel, { body });
  await aBundle(developer, project, platform.url, 'winter-25', '1.1');
  await using hardware = await connected(developer, device);
  await hardware.listen('target');
  await install(hardware, await nextTarget(hardware));

  await page.goto(channelAddress(project, `/${channelId}`));
  await page.getByRole('link', { name: 'Roll out another bundle' }).click();
  await expect(page.getByText('Nothing changes until you start.')).toBeVisible();
  const impact = page.getByRole('region', { name: 'What this will affect' });
  await expect(impact).toContainText('1 device follows stable');
  await expect(impact.getByRole('listitem').filter({ hasText: 'Upgrade' })).toContainText('1');
  const components = page.getByRole('region', { name: 'Components' });
  await expect(components.getByRole('row', { name: /main/ })).toContainText('1.1');
  await expect(page.getByRole('region', { name: 'If this had run last week' })).toContainText(
    'devices such as hall-01',
  );
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(page);

  await page.getByLabel('All at once').check();
  await page.getByRole('button', { name: 'Change now' }).click();
  await expect(page.getByRole('dialog')).toContainText(
    '1 device that follows stable is offered winter-25 at once',
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Change now' }).click();
  await expect(page.getByText('winter-25 is the newest')).toBeVisible();
  expect((await nextTarget(hardware)).components[0]?.version).toBe('1.1');
});

test('a viewer tries out another bundle and sees its impact, but no controls', async ({
  developer,
  project,
  platform,
  open,
  aMember,
}) => {
  const first = await aBundle(developer, project, platform.url, 'winter-24', '1.0');
  const body = { projectId: project.id, deviceClass: 'thermostat', name: 'stable', bundleId: first.id };
  const { id: channelId } = await developer.client.call(createChannel, { body });
  await aBundle(developer, project, platform.url, 'winter-25', '1.1');
  const viewer = await open(await aMember(project, 'viewer'));
  await viewer.goto(channelAddress(project, `/${channelId}`));
  await viewer.getByRole('link', { name: 'Try out a change' }).click();
  await expect(viewer.getByRole('region', { name: 'What this will affect' })).toBeVisible();
  await expect(viewer.getByRole('region', { name: 'If this had run last week' })).toBeVisible();
  await expect(viewer.getByRole('row', { name: /main/ })).toContainText('1.1');
  await expect(viewer.getByRole('link', { name: 'Cancel' })).toBeVisible();
  for (const name of [/^Start/, 'Change now'])
    await expect(viewer.getByRole('button', { name })).toHaveCount(0);
  await expect(viewer.getByRole('radio')).toHaveCount(0);
  await expect(viewer.getByRole('spinbutton')).toHaveCount(0);
  await expectAccessible(viewer);
});

test('a device shows why it runs its bundle, and is pinned with the keyboard', async ({
  page,
  developer,
  project,
  platform,
  device,
}) => {
  const first = await aBundle(developer, project, platform.url, 'winter-24', '1.0');
  const body = { projectId: project.id, deviceClass: 'thermostat', name: 'stable', bundleId: first.id };
  await developer.client.call(createChannel, { body });
  await aBundle(developer, project, platform.url, 'winter-25', '1.1');
  await using hardware = await connected(developer, device);
  await hardware.listen('target');
  const { sequence } = await nextTarget(hardware);
  await page.goto(deviceAddress(device));
  const firmware = page.getByRole('region', { name: 'Firmware' });
  await hardware.say('progress', { state: 'downloading', sequence, component: 'main', percent: 62 });
  await expect(firmware).toContainText('winter-24: Downloading main, 62 %');
  const failure = { state: 'failed', sequence, code: 'boot_failed', error: 'watchdog reset' };
  await hardware.say('progress', failure);
  await expect(firmware).toContainText('boot_failed');
  await expect(firmware).toContainText('watchdog reset');
  await expectAccessible(page);

  await firmware.getByRole('button', { name: 'Why this version?' }).press('Enter');
  const why = page.getByRole('dialog', { name: 'Why this version?' });
  await expect(page).toHaveURL(/#why$/);
  await expect(why.getByRole('listitem').filter({ hasText: 'Channel stable' })).toContainText('winter-24');
  await expectAccessible(page);
  await why.getByRole('button', { name: 'Try again' }).press('Enter');
  await install(hardware, { ...(await nextTarget(hardware)) });
  await expect(why).toContainText('runs winter-24 because its channel, stable, points there');

  await why.getByRole('button', { name: 'Pin to another bundle' }).press('Enter');
  const pin = page.getByRole('dialog', { name: 'Pin to a bundle' });
  await pin.getByLabel('Bundle').selectOption('winter-25');
  await pin.getByRole('button', { name: 'Pin device' }).press('Enter');
  await expect(why.getByRole('listitem').filter({ hasText: 'until it is unpinned' })).toContainText(
    'winter-25',
  );
  expect((await nextTarget(hardware)).components[0]?.version).toBe('1.1');
  await why.getByRole('button', { name: 'Unpin' }).press('Enter');
  await expect(why).toContainText('The device is not pinned to a bundle.');
  await page.keyboard.press('Escape');
  await expect(why).toHaveCount(0);
});
