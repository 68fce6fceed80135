import { aDevice, connected, deviceAddress, test } from './devices/devicePage.ts';
import { expect } from './world.ts';

test('a talkative device does not fill the page, and what was pushed out is one press away', async ({
  page,
  developer,
  project,
}) => {
  const device = await aDevice(developer, project);
  await using hardware = await connected(developer, device);
  await page.goto(`${deviceAddress(device)}?show=event`);
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  const activity = page.getByRole('region', { name: 'Activity', exact: true });
  const lines = activity.getByRole('listitem');
  const tick = (n: number) => hardware.say('events/tick', { n });
  const last = (n: number) => activity.getByText(`{"n":${n}}`, { exact: true });
  await tick(0);
  await expect(last(0)).toBeVisible();
  for (let n = 1; n <= 330; n++) {
    await tick(n);
    // A device may send twenty messages a second.
    if (n % 20 === 0) await expect(last(n)).toBeVisible();
  }
  await expect(last(330)).toBeVisible();
  await expect(lines).toHaveCount(300);
  await expect(last(30)).toHaveCount(0);
  await activity.getByRole('button', { name: 'Pause' }).click();
  await tick(331);
  await activity.getByRole('button', { name: 'Resume (1 new)' }).click();
  await activity.getByRole('button', { name: 'Older' }).scrollIntoViewIfNeeded();
  await expect(last(0)).toBeAttached();
  await expect(last(331)).toBeAttached();
});

test('a page that is open for days still reads the newest events', async ({ page, developer, project }) => {
  const device = await aDevice(developer, project);
  await page.clock.install();
  const live = page.getByRole('status').filter({ hasText: 'Live' });
  await page.goto(deviceAddress(device));
  await expect(live).toBeVisible();
  const later = Date.now() + 3 * 86_400_000;
  // The server goes on to tell its own time, so the answers of three days later are made to tell it as well.
  await page.route('**/api/**', async route => {
    const answer = await route.fetch();
    const headers = { ...answer.headers(), date: new Date(later).toUTCString() };
    await route.fulfill({ response: answer, headers });
  });
  const asked = page.waitForRequest(request => {
    const { pathname, searchParams } = new URL(request.url());
    return pathname.endsWith(`/${device.id}/events`) && Date.parse(searchParams.get('end') ?? '') > later;
  });
  await page.clock.setSystemTime(later);
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  await expect(live).toBeHidden();
  await page.evaluate(() => window.dispatchEvent(new Event('pageshow')));
  await asked;
  await expect(live).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
