import type { Page } from '@playwright/test';
import { listAlerts } from '#contract/alert.ts';
import type { Project } from '#contract/project.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { expect } from '../world.ts';
import { aDevice, connected, test } from './devicePage.ts';

/** A device for each name; it raises an alert of its own. Returns how a device raises another. */
async function alertsIn(developer: Newcomer, project: Project, ...names: string[]) {
  const devices = new Map<string, Awaited<ReturnType<typeof aDevice>>>();
  for (const name of names)
    devices.set(name, await aDevice(developer, project, { tag: name.toLowerCase(), name }));
  const raise = async (name: string, event: string) => {
    const device = devices.get(name);
    if (!device) throw new Error(`There is no device ${name}.`);
    await using hardware = await connected(developer, device);
    await hardware.say(`events/${event}`, { _alert: { severity: 'warning', text: `The ${event}` } });
    const query = { deviceId: device.id, event };
    const found = () => developer.client.call(listAlerts, { params: { projectId: project.id }, query });
    await expect.poll(async () => (await found()).total).toBe(1);
  };
  for (const name of names) await raise(name, name.toLowerCase());
  return raise;
}

const mainOf = (page: Page, text: RegExp) =>
  page.getByRole('table', { name: 'Alerts' }).locator('[data-row-main]').filter({ hasText: text });

test('the focus goes to the next alert when the one it is on leaves the list, and stays when it becomes a group', async ({
  page,
  developer,
  project,
}) => {
  const raise = await alertsIn(developer, project, 'Attic', 'Cellar', 'Hall');
  await page.goto(`/projects/${project.id}/alerts`);
  // The newest is first.
  await mainOf(page, /hall/).focus();
  await page.keyboard.press('a');
  await expect(mainOf(page, /cellar/)).toBeFocused();
  await raise('Attic', 'cellar');
  await expect(page.getByText('2 devices', { exact: true })).toBeVisible();
  await expect(mainOf(page, /cellar/)).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await expect(mainOf(page, /cellar/)).toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByRole('heading', { name: 'All quiet' })).toBeVisible();
  await expect(page.locator(':focus')).toHaveCount(1);
});

test('the focus stays in an alert that is acted on and at the end of the list', async ({
  page,
  developer,
  project,
}) => {
  await alertsIn(developer, project, 'Attic', 'Cellar');
  await page.goto(`/projects/${project.id}/alerts`);
  await mainOf(page, /cellar/).press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Alert' });
  await drawer.getByRole('button', { name: 'Next alert' }).press('Enter');
  await expect(drawer).toContainText('2 of 2');
  await expect(drawer.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Shift+Tab');
  await expect(drawer.locator(':focus')).toHaveCount(1);
  await drawer.getByRole('button', { name: 'Acknowledge' }).press('Enter');
  await expect(drawer.getByRole('button', { name: 'Reopen' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(drawer.getByRole('button', { name: 'Resolve' })).toBeFocused();
  // What has left the list still leads to those around it.
  await expect(drawer).toContainText('No longer in the list');
  await drawer.getByRole('button', { name: 'Previous alert' }).press('Enter');
  await expect(drawer).toContainText('The cellar');
});
