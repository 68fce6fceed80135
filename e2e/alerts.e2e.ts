import { aDevice, connected, test } from './devicePage.ts';
import { expect, expectAccessible } from './world.ts';

test('an alert is seen, dealt with and resolved, by hand and by its device', async ({
  page,
  developer,
  project,
}) => {
  const hall = await aDevice(developer, project, { tag: 'hall-01', name: 'Hall thermostat' });
  await using hardware = await connected(developer, hall);
  await page.goto(`/projects/${project.id}/alerts`);
  await expect(page.getByRole('heading', { name: 'No alerts' })).toBeVisible();
  await hardware.say('events/smoke', { _alert: { severity: 'critical', text: 'Smoke in the hall' } });
  const row = page.getByRole('row', { name: /Smoke in the hall/ });
  await expect(row).toContainText('Hall thermostat');
  await hardware.say('events/battery', { _alert: { severity: 'warning', text: 'The battery is at 18%' } });
  await hardware.say('events/smoke', { _alert: { severity: 'critical', text: 'Smoke in the hall' } });
  await expect(row).toContainText('2');
  await expectAccessible(page);

  await row.getByRole('link', { name: /Smoke in the hall/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Alert' });
  await expect(drawer.getByText('Raised by the device')).toBeVisible();
  await drawer.getByLabel('Note').fill('On my way');
  await drawer.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(drawer.getByText(/^Acknowledged by/)).toBeVisible();
  await expect(drawer.getByText('On my way')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(row).toContainText('Acknowledged');

  await hardware.say('events/smoke', { _alert: { resolved: true } });
  await expect(row).toContainText('Resolved');
  await page.getByRole('button', { name: /^Open/ }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole('checkbox', { name: /Select all on this page/ }).check();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve 1 alert' }).click();
  await expect(page.getByText('No matching alerts')).toBeVisible();
});
