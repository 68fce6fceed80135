import type { Page } from '@playwright/test';
import { createChannel } from '#contract/channel.ts';
import { editDevice } from '#contract/device.ts';
import { createRollout } from '#contract/rollout.ts';
import { aDevice, connected, test } from '../devices/devicePage.ts';
import { expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';
import { aBundle, aReadyVersion, channelAddress, install, nextTarget } from './firmwarePage.ts';

const devices = (page: Page) => page.getByRole('region', { name: 'Devices of the channel' });

test('a rollout is followed, started by hand and paused on its channel, by keyboard alone', async ({
  page,
  developer,
  project,
  platform,
}) => {
  test.slow();
  const first = await aBundle(developer, project, platform.url, 'winter-24', '1.0');
  const body = { projectId: project.id, deviceClass: 'thermostat', name: 'stable', bundleId: first.id };
  const { id: channelId } = await developer.client.call(createChannel, { body });
  const next = await aBundle(developer, project, platform.url, 'winter-25', '1.1');
  const chosen = await aDevice(developer, project, { tag: 'hall-1' });
  const later = await aDevice(developer, project, { tag: 'hall-2' });
  await aDevice(developer, project, { tag: 'in the box' });
  await using one = await connected(developer, chosen);
  await using other = await connected(developer, later);
  for (const hardware of [one, other]) {
    await hardware.listen('target');
    await install(hardware, await nextTarget(hardware));
  }
  await page.goto(channelAddress(project, `/${channelId}`));
  await expect(devices(page)).toContainText('On winter-24 2');
  await expect(devices(page)).toContainText('Never connected 1');
  await expect(page.getByRole('region', { name: 'Off target' })).toContainText('None: every device');
  const candidate = page.getByRole('listitem').filter({ hasText: 'main 1.1' });
  await expect(candidate).toContainText('on no device yet');
  await expectAccessible(page);
  await candidate.getByRole('link', { name: 'Roll out winter-25' }).press('Enter');
  await expect(page.getByRole('combobox', { name: 'Then' })).toHaveValue(next.id);

  const steps = [
    { percent: 0, startsBy: 'itself' as const },
    { percent: 100, startsBy: 'hand' as const },
  ];
  const rollout = { channelId, bundleId: next.id, deviceIds: [chosen.id], steps, soakS: 0, start: true };
  await developer.client.call(createRollout, { body: rollout });
  await page.goto(channelAddress(project, `/${channelId}`));
  const band = page.getByRole('region', { name: 'Rollout', exact: true });
  await expect(band.getByRole('listitem').filter({ hasText: '100 %' })).toContainText('+2, then 3');
  await install(one, await nextTarget(one));
  await expect(page.getByText('Waits for you').first()).toBeVisible({ timeout: 90_000 });
  await expect(band).toContainText('1 of 1 device updated, no failures. Step 2 adds 2 devices.');
  await expect(devices(page)).toContainText('Next step 1');
  await expect(page.getByRole('region', { name: 'Gates' })).toContainText('Too early to tell');
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  await band.getByRole('button', { name: 'Start step 2 (+2)' }).press('Enter');
  // It has begun to install, so it finishes during the pause.
  const { sequence } = await nextTarget(other);
  await other.say('progress', { state: 'installing', sequence, component: 'main' });
  await band.getByRole('button', { name: 'Pause' }).press('Enter');
  await expect(page.getByText(`Paused by ${developer.developer.name}`).first()).toBeVisible();
  await expect(band.getByRole('button', { name: 'Pause' })).toHaveCount(0);
  await other.say('progress', { state: 'failed', sequence, code: 'boot_failed', error: 'watchdog reset' });
  await expect(band).toContainText('1 failed');
  const off = page.getByRole('region', { name: 'Off target' });
  await expect(off.getByRole('row', { name: /hall-2/ })).toContainText('Failed: watchdog reset', {
    timeout: 60_000,
  });
  await expectAccessible(page);
});

test('each device off target has its reason and the one thing to do about it', async ({
  page,
  developer,
  project,
  platform,
  device,
}) => {
  const first = await aBundle(developer, project, platform.url, 'winter-24', '1.0');
  const body = { projectId: project.id, deviceClass: 'thermostat', name: 'stable', bundleId: first.id };
  const { id: channelId } = await developer.client.call(createChannel, { body });
  const other = await aBundle(developer, project, platform.url, 'winter-25', '1.1');
  const pinned = await aDevice(developer, project, { tag: 'sauna' });
  const pin = { params: { deviceId: pinned.id }, body: { bundlePinned: other.id } };
  await developer.client.call(editDevice, pin);
  await using hardware = await connected(developer, device);
  await using _sauna = await connected(developer, pinned);
  await hardware.listen('target');
  await install(hardware, await nextTarget(hardware));
  await hardware.say('installed', { components: [{ component: 'main', version: '1.0-rc.2' }] });
  await page.goto(channelAddress(project, `/${channelId}`));
  const off = page.getByRole('region', { name: 'Off target' });
  await expect(off.getByRole('row', { name: /sauna/ })).toContainText('Pinned to winter-25');
  const flashed = off.getByRole('row', { name: /1.0-rc.2/ });
  await expect(flashed).toContainText('Flashed by hand; no bundle has this version');
  await expectAccessible(page);
  await flashed.getByRole('button', { name: 'Update now' }).press('Enter');
  expect((await nextTarget(hardware)).bundleId).toBe(first.id);
  await expect(flashed).toHaveCount(0);
  await off.getByRole('link', { name: 'Open pin sauna' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Why this version?' })).toContainText('winter-25');
});

test('a version, its bundle and the bundle’s channels each lead to the next step', async ({
  page,
  developer,
  project,
  platform,
}) => {
  const first = await aBundle(developer, project, platform.url, 'winter-24', '1.0');
  const channel = { projectId: project.id, deviceClass: 'thermostat', bundleId: first.id };
  const { id: busy } = await developer.client.call(createChannel, { body: { ...channel, name: 'beta' } });
  await developer.client.call(createChannel, { body: { ...channel, name: 'stable' } });
  const [component = ''] = first.components.map(({ componentId }) => componentId);
  const versionId = await aReadyVersion(developer.client, platform.url, component, '1.1');
  await page.goto(`/projects/${project.id}/components/${component}`);
  await expect(page.getByRole('region', { name: 'Next step' })).toContainText('main 1.1 is ready');
  await expectAccessible(page);
  await page.goto(`/projects/${project.id}/components/${component}/versions/${versionId}`);
  await page.getByRole('link', { name: 'Create bundle' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('winter-25');
  await dialog.getByRole('button', { name: 'Create bundle' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'winter-25' })).toBeVisible();
  const bundleId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await developer.client.call(createRollout, { body: { channelId: busy, bundleId } });
  await page.getByRole('button', { name: 'Roll out to' }).press('Enter');
  await expect(page.getByRole('menuitem', { name: /beta/ })).toContainText('has a rollout');
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: /stable/ }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Roll out a bundle to stable' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Then' })).toHaveValue(bundleId);
});
