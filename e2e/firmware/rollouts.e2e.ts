import { createChannel, editChannel } from '#contract/channel.ts';
import { actOnRollout, createRollout, listRollouts } from '#contract/rollout.ts';
import { readRolloutReport } from '#contract/rolloutReport.ts';
import type { MqttDevice } from '#test/mqttDevice.ts';
import { aDevice, connected, test } from '../devices/devicePage.ts';
import { expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';
import { aBundle, channelAddress, install, nextTarget } from './firmwarePage.ts';

test('a rollout admits devices in steps, is paused by hand and by a gate, and rolled back', async ({
  page,
  developer,
  project,
  platform,
}) => {
  test.slow();
  const first = await aBundle(developer, project, platform.url, 'winter-24', '1.0');
  const { id: projectId } = project;
  const made = { projectId, deviceClass: 'thermostat', name: 'stable', bundleId: first.id };
  const { id: channelId } = await developer.client.call(createChannel, { body: made });
  await using fleet = await aFleet(8, async at => {
    const tag = `hall-${at}`;
    return connected(developer, await aDevice(developer, project, { tag }));
  });
  for (const hardware of fleet.all) await install(hardware, await nextTarget(hardware));
  await aBundle(developer, project, platform.url, 'winter-25', '1.1');

  await page.goto(channelAddress(project, `/${channelId}/bundle`));
  await page.getByRole('button', { name: 'Edit steps how' }).click();
  for (let left = 4; left > 0; left--) await page.getByLabel('Remove step 1').click();
  await page.getByLabel('Soak, in minutes').fill('60');
  await page.getByRole('button', { name: 'Use these steps' }).click();
  await page.getByRole('button', { name: 'Start rollout' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'winter-24 → winter-25' })).toBeVisible();
  const told = await Promise.all(fleet.all.map(nextTarget));
  const [good, ...bad] = fleet.all;
  if (!good || !told[0]) throw new Error('no device');
  await install(good, told[0]);
  const progress = page.getByRole('region', { name: 'Progress' });
  await expect(progress).toContainText('8 devices admitted so far');
  await expect(progress.getByRole('link', { name: '1 updated' })).toBeVisible();
  await expectAccessible(page);

  // A pause is urgent, so it asks nothing.
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const band = page.getByRole('region', { name: 'Paused' });
  await expect(band).toContainText(`${developer.developer.name} paused this rollout.`);
  for (const hardware of bad) expect((await nextTarget(hardware)).bundleId).toBe(first.id);
  await band.getByRole('button', { name: 'Resume' }).click();
  await page.getByLabel('Reason').fill('looks odd');
  await page.getByRole('button', { name: 'Resume rollout' }).click();
  for (const hardware of bad) await fail(hardware);
  await expect(page.getByRole('region', { name: 'Failures' })).toContainText('boot_failed');

  await expect(band).toContainText('The failures gate paused this rollout.', { timeout: 90_000 });
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText('looks odd');
  // No samples are taken during a pause, but the chart continues.
  await expect(progress.getByRole('img', { name: /now 1 updated, 0 in progress, \d failed$/ })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  // The gate closes at the fifth result; devices that have not failed by then go back to their previous bundle.
  const rolloutId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { causes } = await developer.client.call(readRolloutReport, { params: { rolloutId } });
  const failed = causes[0]?.devices ?? 0;
  expect(failed).toBeGreaterThanOrEqual(5);
  await page.getByRole('link', { name: `${failed} devices with boot_failed` }).click();
  await expect(page).toHaveURL(/devices\?code=boot_failed/);
  await expect(page.getByRole('link', { name: /hall-/ })).toHaveCount(failed);
  await expectAccessible(page);
  await page.goBack();

  await page.getByRole('button', { name: 'Roll back' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 device that runs winter-25 back to winter-24');
});

test('a channel cannot be pointed elsewhere or deleted if a rollout has started meanwhile', async ({
  page,
  developer,
  project,
  platform,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/channels/*', '409 DELETE /api/channels/*');
  const { client } = developer;
  const running = page.getByRole('dialog').getByText('The channel has an unfinished rollout. Stop it first.');
  const bundle = (name: string, version: string) => aBundle(developer, project, platform.url, name, version);
  const body = { projectId: project.id, deviceClass: 'thermostat', name: 'stable' };
  const { id: channelId } = await client.call(createChannel, { body });
  const { id: bundleId } = await bundle('winter-24', '1.0');
  await bundle('winter-25', '1.1');
  await page.goto(channelAddress(project, `/${channelId}/bundle`));
  await page.getByRole('combobox', { name: 'Then' }).selectOption({ label: 'winter-25' });
  await page.getByLabel('All at once').check();
  await page.getByRole('button', { name: 'Change now' }).click();
  await expect(page.getByRole('dialog')).toContainText('Point stable at winter-25 now?');
  await client.call(createRollout, { body: { channelId, bundleId, soakS: 3_600, start: true } });
  // The page behind the dialog shows it by itself, and the earlier confirmation does not count for it.
  await expect(page.getByText('stable has an unfinished rollout. Changing now stops it.')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Change now' }).click();
  await expect(running).toBeVisible();
  await expect(page.getByText('ROLLOUT_RUNNING')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('In steps').check();
  await expect(page.getByText('stable has an unfinished rollout. Stop it first.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start rollout' })).toBeDisabled();

  // What cannot work is not offered; the question may have been asked before the rollout started.
  const { items } = await client.call(listRollouts, { query: { projectId: project.id, channelId } });
  const stop = { params: { rolloutId: items[0]?.id ?? '' }, body: { action: 'stop' as const } };
  await page.goto(channelAddress(project, `/${channelId}`));
  await expect(page.getByRole('region', { name: 'Rollout', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Roll out/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'More actions' })).toHaveCount(0);
  await client.call(actOnRollout, stop);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete channel' }).click();
  await client.call(createRollout, { body: { channelId, bundleId, soakS: 3_600, start: true } });
  await page.getByRole('button', { name: 'Delete channel' }).click();
  await expect(running).toBeVisible();
  await expect(page.getByText('ROLLOUT_RUNNING')).toBeVisible();
});

test('a rollback is offered only while the channel has not moved on', async ({
  page,
  developer,
  project,
  platform,
  device,
}) => {
  const { client } = developer;
  const bundle = (name: string, version: string) => aBundle(developer, project, platform.url, name, version);
  const { id: first } = await bundle('winter-24', '1.0');
  const body = { projectId: project.id, deviceClass: 'thermostat', name: 'stable', bundleId: first };
  const { id: channelId } = await client.call(createChannel, { body });
  const { id: second } = await bundle('winter-25', '1.1');
  const { id: third } = await bundle('winter-26', '1.2');
  await using hardware = await connected(developer, device);
  await hardware.listen('target');
  await install(hardware, await nextTarget(hardware));
  const steps = [{ percent: 100, startsBy: 'itself' as const }];
  const rollout = { channelId, bundleId: second, steps, soakS: 3_600, start: true };
  const { id: rolloutId } = await client.call(createRollout, { body: rollout });
  await install(hardware, await nextTarget(hardware));
  await page.goto(channelAddress(project, `/${channelId}/rollouts/${rolloutId}`));
  await expect(page.getByRole('button', { name: 'Roll back' })).toBeVisible();
  const elsewhere = { params: { channelId }, body: { bundleId: third, endRollout: true } };
  await client.call(editChannel, elsewhere);
  await expect(page.getByText('Superseded').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Roll back' })).toHaveCount(0);
});

test('a rollout that does not exist says so', async ({ page, project, developer, expectRefused }) => {
  expectRefused('404 GET /api/rollouts/rol_none', '404 GET /api/channels/chn_none');
  const body = { projectId: project.id, deviceClass: 'thermostat', name: 'stable' };
  const { id: channelId } = await developer.client.call(createChannel, { body });
  await page.goto(channelAddress(project, `/${channelId}/rollouts/rol_none`));
  await expect(page.getByText('Rollout rol_none does not exist.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Go to channels' }).click();
  await expect(page).toHaveURL(/\/channels$/);
  await page.goto(channelAddress(project, '/chn_none'));
  await expect(page.getByText('Channel chn_none does not exist.')).toBeVisible();
});

async function aFleet(size: number, make: (at: number) => Promise<MqttDevice>) {
  const all: MqttDevice[] = [];
  for (let at = 0; at < size; at++) {
    const hardware = await make(at);
    await hardware.listen('target');
    all.push(hardware);
  }
  return {
    all,
    async [Symbol.asyncDispose]() {
      for (const hardware of all) await hardware[Symbol.asyncDispose]();
    },
  };
}

async function fail(hardware: MqttDevice): Promise<void> {
  const { sequence } = await nextTarget(hardware);
  const why = { code: 'boot_failed', error: 'watchdog reset in radio_init' };
  await hardware.say('progress', { state: 'failed', sequence, ...why });
}
