import type { Page } from '@playwright/test';
import { aDevice, connected, deviceAddress, test } from './devices/devicePage.ts';
import { expect } from './world.ts';

const periodIn = async (page: Page) => [
  await page.getByLabel('From', { exact: true }).inputValue(),
  await page.getByLabel('To', { exact: true }).inputValue(),
];

test.use({ timezoneId: 'Europe/Helsinki' });

for (const { what, path, choose } of [
  {
    what: 'history',
    path: '',
    choose: (page: Page) => page.getByRole('button', { name: 'Custom', exact: true }).click(),
  },
  {
    what: 'audit log',
    path: '/settings/audit_logs',
    choose: (page: Page) => page.getByLabel('View').selectOption('Custom range'),
  },
  {
    what: 'HTTP log',
    path: '/settings/http_logs',
    choose: (page: Page) => page.getByLabel('View').selectOption('Custom range'),
  },
])
  test(`a link to a period of the ${what} shows the same period in another time zone`, async ({
    page,
    developer,
    project,
    browser,
    baseURL,
    signIn,
    watch,
  }) => {
    const device = await aDevice(developer, project);
    await using hardware = await connected(developer, device);
    await hardware.say('state', { celsius: 20 });
    await page.goto(path ? `/projects/${project.id}${path}` : deviceAddress(device));
    await choose(page);
    await page.getByLabel('From', { exact: true }).fill('2026-11-20T10:15');
    await page.getByLabel('To', { exact: true }).fill('2026-11-21T00:30');
    await expect(page).toHaveURL(/from=2026-11-20T08:15Z&to=2026-11-20T22:30Z/);
    expect(await periodIn(page)).toEqual(['2026-11-20T10:15', '2026-11-21T00:30']);

    await using context = await browser.newContext({ timezoneId: 'Asia/Tokyo', ...(baseURL && { baseURL }) });
    await signIn(context, developer);
    const elsewhere = await context.newPage();
    watch(elsewhere);
    await elsewhere.goto(page.url());
    await expect(elsewhere.getByLabel('From', { exact: true })).toBeVisible();
    expect(await periodIn(elsewhere)).toEqual(['2026-11-20T17:15', '2026-11-21T07:30']);
  });
