import type { Page } from '@playwright/test';
import { minuteMs } from '#rules/time/durations.ts';
import { aDevice, connected, deviceAddress, test } from './devices/devicePage.ts';
import { expect } from './world.ts';

const monthMs = 31 * 24 * 60 * minuteMs;

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('on a computer whose clock is a month ahead, a sign-in works and lasts', async ({
  browser,
  baseURL,
  watch,
  developer,
}) => {
  await using context = await browser.newContext({ ...(baseURL && { baseURL }) });
  await context.clock.install({ time: Date.now() + monthMs });
  const page = await context.newPage();
  watch(page);
  await page.goto('/login');
  await signIn(page, developer);
  await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
});

test('on a computer whose clock is ten minutes behind, the last hour ends with what was just reported', async ({
  page,
  developer,
  project,
}) => {
  const device = await aDevice(developer, project);
  await using hardware = await connected(developer, device);
  await hardware.say('state', { celsius: 20 });
  await page.clock.install({ time: Date.now() - 10 * minuteMs });
  await page.goto(`${deviceAddress(device)}?history=1h`);
  const history = page.getByRole('region', { name: 'History', exact: true });
  await expect(history.getByRole('button', { name: /^celsius 20/ })).toBeVisible();
});

test('after a session ended while the computer slept, the password leads back to where one was', async ({
  page,
  developer,
  project,
}) => {
  await page.clock.install();
  await page.goto('/projects');
  const link = page.getByRole('link', { name: project.name });
  await expect(link).toBeVisible();
  await page.clock.setSystemTime(Date.now() + monthMs);
  // The console may notice it before the press.
  await link.click({ timeout: 5_000 }).catch(() => undefined);
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, developer);
  await expect(page).toHaveURL(new RegExp(`/projects(/${project.id})?$`));
});
