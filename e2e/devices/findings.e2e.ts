import type { Page } from '@playwright/test';
import type { Device } from '#contract/device.ts';
import { actOnRollout, createRollout } from '#contract/rollout.ts';
import { aBundle } from '../firmware/firmwarePage.ts';
import { expect, expectAccessible } from '../world.ts';
import { aChannel, aClass, aDevice, connected, test } from './devicePage.ts';

const attentionOn = (page: Page) => page.getByRole('region', { name: 'Needs attention' });

/** Presses Tab until the focus is on what is named, as a person without a pointer does. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const focused = page.locator(':focus');
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const said = `${await focused.getAttribute('aria-label')} ${await focused.textContent()}`;
    if (name.test(said)) return;
  }
  throw new Error(`Nothing in the order of the keyboard is called ${name}.`);
}

test('a critical alert is acknowledged from the overview by keyboard, and taken back', async ({
  page,
  developer,
  project,
}) => {
  // In a fleet of one class, the class would say nothing.
  await aClass(developer, project, { id: 'sensor' });
  await aDevice(developer, project, { deviceClass: 'sensor' });
  for (const name of ['Hall', 'Attic']) {
    const device = await aDevice(developer, project, { tag: name, name });
    await using hardware = await connected(developer, device);
    await hardware.say('events/smoke', { _alert: { severity: 'critical', text: 'Smoke' } });
  }
  await page.goto(`/projects/${project.id}`);
  const finding = attentionOn(page).getByRole('listitem', { name: 'Smoke on 2 devices' });
  await expect(finding).toContainText('nobody has acknowledged them. The newest is from Attic');
  const common = finding.getByLabel('In common');
  await expect(common).toContainText('Classthermostat 2 of 2');
  await expectAccessible(page);
  await tabTo(page, /Acknowledge all 2/);
  await page.keyboard.press('Enter');
  await expect(attentionOn(page)).toContainText('Nothing needs attention');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(finding).toBeVisible();
  await finding.getByRole('link', { name: 'Smoke on 2 devices' }).click();
  await expect(page).toHaveURL(/alerts\?state=open&severity=critical$/);
});

test('a finding is hidden until it happens again', async ({ page, developer, project }) => {
  const devices: (Device & { apiKey: string })[] = [];
  for (const name of ['Hall', 'Attic']) devices.push(await aDevice(developer, project, { tag: name, name }));
  const raise = async (place: number) => {
    const device = devices[place];
    if (!device) throw new Error('There is no such device.');
    await using hardware = await connected(developer, device);
    await hardware.say('events/smoke', { _alert: { severity: 'critical', text: 'Smoke' } });
  };
  await raise(0);
  await page.goto(`/projects/${project.id}`);
  const attention = attentionOn(page);
  await attention.getByRole('button', { name: 'More for: Smoke on Hall' }).click();
  await page.getByRole('menuitem', { name: 'Hide until it changes' }).click();
  await expect(attention).toContainText('Nothing needs attention');
  await expect(attention).toContainText('1 hidden');
  await attention.getByRole('button', { name: 'Show all' }).click();
  await attention.getByRole('button', { name: 'More for: Smoke on Hall' }).click();
  await page.getByRole('menuitem', { name: 'Show again' }).click();
  await attention.getByRole('button', { name: 'Show fewer' }).click();
  await expect(attention.getByRole('listitem', { name: 'Smoke on Hall' })).toBeVisible();

  await attention.getByRole('button', { name: 'More for: Smoke on Hall' }).click();
  await page.getByRole('menuitem', { name: 'Hide until it changes' }).click();
  await expect(attention).toContainText('1 hidden');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(attention.getByRole('listitem', { name: 'Smoke on Hall' })).toBeVisible();
  await attention.getByRole('button', { name: 'More for: Smoke on Hall' }).click();
  await page.getByRole('menuitem', { name: 'Hide until it changes' }).click();
  await expect(attention).toContainText('1 hidden');
  await raise(1);
  await expect(attention.getByRole('listitem', { name: 'Smoke on 2 devices' })).toBeVisible();
});

test('a rollout that goes on is no finding, and one that is paused is one by name', async ({
  page,
  developer,
  project,
  platform,
}) => {
  const bundle = await aBundle(developer, project, platform.url, 'winter-25', '3.2.0');
  const channel = await aChannel(developer, project, 'beta');
  const hall = await aDevice(developer, project, { tag: 'hall-01', name: 'Hall', channel: 'beta' });
  await using _ = await connected(developer, hall);
  const body = { channelId: channel.id, bundleId: bundle.id, start: true };
  const { id: rolloutId } = await developer.client.call(createRollout, { body });
  await page.goto(`/projects/${project.id}`);
  const rollouts = page.getByRole('region', { name: 'Rollouts' });
  await expect(rollouts).toContainText('1 running well');
  await expect(rollouts).toContainText('winter-25 to beta');
  await expect(attentionOn(page)).toContainText('Nothing needs attention');
  await expectAccessible(page);
  const pause = { action: 'pause', reason: 'Two radios drop' } as const;
  await developer.client.call(actOnRollout, { params: { rolloutId }, body: pause });
  const finding = attentionOn(page).getByRole('listitem', {
    name: 'Mari Kask paused the rollout of winter-25 to beta',
  });
  await expect(finding).toContainText('“Two radios drop”');
  await expect(rollouts).toHaveCount(0);
  await expectAccessible(page);
  await finding.getByRole('link', { name: 'Open rollout' }).click();
  await expect(page).toHaveURL(/rollouts\/rol_/);
});
