import { createUser } from '#contract/user.ts';
import { aBundle } from '../firmware/firmwarePage.ts';
import { expect, expectAccessible } from '../world.ts';
import { aDevice, connected, test } from './devicePage.ts';

test('a problem is found from the first screen in two presses', async ({ page, developer, project }) => {
  const hall = await aDevice(developer, project, { tag: 'hall-01', name: 'Hall thermostat' });
  await aDevice(developer, project, { tag: 'attic-7', name: 'Attic' });
  await using hardware = await connected(developer, hall);
  await hardware.say('events/smoke', { _alert: { severity: 'critical', text: 'Smoke in the hall' } });
  await page.goto(`/projects/${project.id}`);
  const fleet = page.getByRole('region', { name: 'Fleet' });
  await expect(fleet.getByRole('heading')).toHaveText('1 of 2 connected');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention).toContainText('And 1 smaller: 1 device never connected');
  await expectAccessible(page);
  await attention.getByRole('link', { name: 'Smoke in the hall on Hall thermostat' }).click();
  await expect(page).toHaveURL(/alerts\?state=open&severity=critical$/);
  await expect(page.getByRole('row', { name: /Smoke in the hall/ })).toBeVisible();
  await page.getByRole('link', { name: 'Hall thermostat' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hall thermostat' })).toBeVisible();
});

test('the overview shows what each class runs, and how many people use the product', async ({
  page,
  developer,
  project,
  platform,
}) => {
  const hall = await aDevice(developer, project, { tag: 'hall-01' });
  await aDevice(developer, project, { tag: 'attic-7' });
  const bundle = await aBundle(developer, project, platform.url, 'winter-24', '3.2.0');
  await using hardware = await connected(developer, hall);
  await hardware.say('installed', {
    bundleId: bundle.id,
    components: [{ component: 'main', version: '3.2.0' }],
  });
  await developer.client.call(createUser, { body: { projectId: project.id, email: 'ola@example.com' } });
  await page.goto(`/projects/${project.id}`);
  await page.keyboard.press('End');
  const people = page.getByRole('region', { name: 'People' });
  await expect(people).toContainText('Users1, 1 new this week');
  await expect(people).toContainText('Claimed0 of 2 devices');
  const thermostat = page
    .getByRole('table', { name: 'Device classes' })
    .getByRole('row', { name: /thermostat/ });
  await expect(thermostat).toContainText('winter-24');
  await expect(thermostat).toContainText('1 not reported');
  const activity = page.getByRole('region', { name: 'Recent activity' });
  await expect(activity).toContainText('Mari Kask created bundle winter-24');
  await expectAccessible(page);
});

test('the state bar filters devices of all classes', async ({ page, developer, project }) => {
  const hall = await aDevice(developer, project, { tag: 'hall-01', name: 'Hall thermostat' });
  await aDevice(developer, project, { tag: 'attic-7', name: 'Attic' });
  await using _ = await connected(developer, hall);
  await page.goto(`/projects/${project.id}/devices`);
  const bar = page.getByRole('navigation', { name: 'Devices by state' });
  await bar.getByRole('link', { name: 'Never connected: 1' }).click();
  await expect(page).toHaveURL(/state=never/);
  await expect(page.getByRole('row', { name: /Hall thermostat/ })).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Attic/ })).toBeVisible();
  await expectAccessible(page);
  await bar.getByRole('link', { name: 'Never connected: 1' }).click();
  await expect(page.getByRole('row', { name: /Hall thermostat/ })).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitem', { name: 'Created' }).click();
  await expect(page.getByRole('columnheader', { name: 'Created' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Created' })).toBeVisible();
});

test('a view of the list is saved under a name, and found again', async ({ page, developer, project }) => {
  await aDevice(developer, project, { tag: 'oslo-1', name: 'Hall thermostat' });
  await aDevice(developer, project, { tag: 'bergen-1', name: 'Attic' });
  const list = `/projects/${project.id}/devices`;
  await page.goto(list);
  const views = page.getByRole('button', { name: 'Saved views' });
  await views.click();
  await expect(page.getByText('No views yet. Search, filter or sort')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('searchbox', { name: 'Search this list' }).fill('oslo');
  await expect(page.getByRole('row', { name: /Attic/ })).toHaveCount(0);
  await views.click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Name').fill('All in Oslo');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(views).toContainText('All in Oslo');

  await page.goto(list);
  await expect(page.getByRole('row', { name: /Attic/ })).toBeVisible();
  await views.click();
  await page.getByRole('menuitem', { name: 'All in Oslo' }).click();
  await expect(page.getByRole('row', { name: /Attic/ })).toHaveCount(0);
  await expect(page).toHaveURL(/devices\?q=oslo$/);

  await views.click();
  await page.getByRole('menuitem', { name: 'Delete this view…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
  await expect(views).toContainText('Views');

  const isRead = '**/api/deviceViews?*';
  await page.route(isRead, route =>
    route.fulfill({ status: 403, json: { reason: 'NOT_ALLOWED', message: 'This is not for you.' } }),
  );
  await page.goto(list);
  await views.click();
  await expect(page.getByText('The views could not be loaded. This is not for you.')).toBeVisible();
  await page.unroute(isRead);
  await page.getByRole('menuitem', { name: 'Retry' }).click();
  await views.click();
  await expect(page.getByText('No views yet.')).toBeVisible();
});
