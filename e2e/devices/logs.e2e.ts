import type { Page } from '@playwright/test';
import { type Device, editDevice, rotateDeviceKey } from '#contract/device.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { copied, expect, expectAccessible } from '../world.ts';
import { connected, deviceAddress, test } from './devicePage.ts';

const log = (page: Page) => page.getByRole('region', { name: 'System log' });
const line = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

const suspend = (developer: Newcomer, device: Device, suspended: boolean) =>
  developer.client.call(editDevice, { params: { deviceId: device.id }, body: { suspended } });

/** The device is suspended and resumed as often as given, then connects: two lines each. */
async function happened(developer: Newcomer, device: Device, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await suspend(developer, device, true);
    await suspend(developer, device, false);
  }
  const hardware = await connected(developer, device);
  await hardware[Symbol.asyncDispose]();
}

test('the whole log of a device is searched, and each level has its number', async ({
  page,
  developer,
  device,
}) => {
  await happened(developer, device, 3);
  await page.goto(deviceAddress(device, '/system_logs'));
  // Only five lines are shown at first; the search is not limited to them.
  await expect(log(page).getByRole('button', { name: /^All \d+$/ })).toBeVisible();
  await expect(log(page).locator('summary')).toHaveCount(5);
  await page.keyboard.press('/');
  await page.keyboard.type('suspended');
  await expect(log(page).locator('mark').first()).toHaveText('Suspended');
  await expect(log(page).getByText(/^3 hits in \d+ lines$/)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Search the log').fill('nothing of the kind');
  await expect(page.getByText('No line says “nothing of the kind” in this period.')).toBeVisible();
});

test('the link to a line opens it among the lines around it', async ({ page, developer, device }) => {
  await happened(developer, device, 1);
  await page.goto(deviceAddress(device, '/system_logs?view=today'));
  const opened = line(page, 'Suspended');
  await opened.locator('summary').focus();
  const link = await copied(page, () => page.keyboard.press('l'));
  expect(link).toMatch(/\?line=log_[0-9a-z]{26}$/);
  await page.goto(link);
  const around = page.getByRole('region', { name: 'Lines around it' });
  await expect(around.getByText('Copy link')).toHaveCount(1);
  await expect(around.locator('details[open] > summary')).toContainText('Suspended');
  await expect(line(page, 'Resumed')).toBeVisible();
  await expectAccessible(page);
  await around.getByRole('button', { name: 'Back to the log' }).click();
  await expect(log(page)).toBeVisible();

  await page.goto(link.replace(/.$/, last => (last === '0' ? '1' : '0')));
  await expect(page.getByText('The line is no longer there')).toBeVisible();
});

test('the keyboard goes through the lines, and from the chart to a time', async ({
  page,
  developer,
  device,
}) => {
  await happened(developer, device, 1);
  await page.goto(deviceAddress(device, '/system_logs?view=today'));
  await expect(log(page).locator('summary').nth(1)).toBeVisible();
  await page.keyboard.press('n');
  await expect(log(page).locator('summary').first()).toBeFocused();
  await page.keyboard.press('n');
  await expect(log(page).locator('summary').nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(log(page).getByRole('button', { name: 'Show lines around it' })).toBeVisible();
  await page.keyboard.press('N');
  await expect(log(page).locator('summary').first()).toBeFocused();

  const chart = page.getByRole('slider', { name: 'Time' });
  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(chart).toHaveAttribute('aria-valuetext', /: \d+ lines?/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/view=other&from=.*&to=/);
  await page.goBack();
  await expect(page).toHaveURL(/view=today/);
});

test('new lines wait while somebody reads further down', async ({ page, developer, device }) => {
  await page.setViewportSize({ width: 1024, height: 420 });
  await happened(developer, device, 6);
  await page.goto(deviceAddress(device, '/system_logs?view=today'));
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  // The last line of what happened comes on its own.
  await expect(line(page, 'Disconnected').first()).toBeVisible();
  await log(page).locator('summary').last().scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 2_000);
  const shown = await log(page).locator('summary').count();
  await developer.client.call(rotateDeviceKey, { params: { deviceId: device.id }, body: { graceS: 0 } });
  const newer = page.getByRole('button', { name: /^↑ \d+ newer lines?$/ });
  await expect(newer).toBeVisible();
  await expect(log(page).locator('summary')).toHaveCount(shown);
  await newer.click();
  await expect(line(page, 'API key changed')).toBeVisible();

  await page.keyboard.press('f');
  await expect(page.getByRole('button', { name: 'Follow' })).toHaveAttribute('aria-pressed', 'false');
  await suspend(developer, device, true);
  await expect(newer).toBeVisible();
  await page.getByRole('button', { name: 'Follow' }).click();
  await expect(newer).toHaveCount(0);
  await expect(log(page).locator('summary').first()).toContainText('Suspended');
});
