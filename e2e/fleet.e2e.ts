import { aDevice, connected, test } from './devicePage.ts';
import { expect, expectAccessible } from './world.ts';

test('what is wrong is found from the first screen in two presses', async ({ page, developer, project }) => {
  const hall = await aDevice(developer, project, { tag: 'hall-01', name: 'Hall thermostat' });
  await aDevice(developer, project, { tag: 'attic-7', name: 'Attic' });
  await using hardware = await connected(developer, hall);
  await hardware.say('events/smoke', { _alert: { severity: 'critical', text: 'Smoke in the hall' } });
  await page.goto(`/projects/${project.id}`);
  const fleet = page.getByRole('region', { name: 'Fleet' });
  await expect(fleet.getByRole('heading')).toHaveText('1 of 2 connected');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention.getByRole('link')).toHaveCount(2);
  await expectAccessible(page);
  await attention.getByRole('link', { name: /1 open alert.*Smoke in the hall on Hall thermostat/ }).click();
  await expect(page).toHaveURL(/alerts\?state=open$/);
  await expect(page.getByRole('row', { name: /Smoke in the hall/ })).toBeVisible();
  await page.getByRole('link', { name: 'Hall thermostat' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hall thermostat' })).toBeVisible();
});

test('the state bar is the filter, over all classes', async ({ page, developer, project }) => {
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
