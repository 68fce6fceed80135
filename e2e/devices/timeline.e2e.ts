import { sendCommand } from '#contract/command.ts';
import { editDevice } from '#contract/device.ts';
import { copied, expect, expectAccessible } from '../world.ts';
import { connected, deviceAddress, test } from './devicePage.ts';

test('what happened to a device is one list, narrowed by kind and shared by its address', async ({
  page,
  developer,
  device,
  open,
}) => {
  const params = { deviceId: device.id };
  await developer.client.call(editDevice, { params, body: { name: 'Hall thermostat' } });
  await developer.client.call(sendCommand, { params, body: { name: 'reboot' } });
  await using hardware = await connected(developer, device);
  await hardware.say('events/door', { open: true });
  await page.goto(deviceAddress(device, '/timeline'));
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const lines = timeline.getByRole('listitem');
  await expect(lines.filter({ hasText: 'Connected over MQTT' })).toBeVisible();
  await expect(async () => {
    await timeline.getByRole('button', { name: 'Refresh' }).click();
    await expect(lines.filter({ hasText: '{"open":true}' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  // The logs have the command, too; its own line says more.
  await expect(lines.filter({ hasText: 'reboot' })).toHaveCount(1);
  await expect(lines.filter({ hasText: 'Device Hall thermostat updated' })).toBeVisible();
  await expectAccessible(page);

  await timeline.getByRole('button', { name: 'Events' }).click();
  await expect(page).toHaveURL(/kinds=event/);
  await expect(lines).toHaveCount(1);
  await lines.locator('summary').click();
  await expect(lines.locator('pre')).toContainText('"open": true');

  const link = await copied(page, () =>
    timeline.getByRole('button', { name: 'Copy link to this period' }).click(),
  );
  expect(link).toMatch(/period=custom&from=.*Z&to=.*Z&kinds=event$/);
  const colleague = await open(developer);
  await colleague.goto(link);
  await expect(colleague.getByRole('listitem').filter({ hasText: '{"open":true}' })).toBeVisible();
  await colleague.getByLabel('To', { exact: true }).fill('2020-01-01T00:00');
  await expect(colleague.getByText('Choose a period')).toBeVisible();
});

test('a page without a line does not say that nothing happened while older ones may follow', async ({
  page,
  developer,
  device,
}) => {
  await developer.client.call(editDevice, { params: { deviceId: device.id }, body: { name: 'Hall' } });
  // The newest page: the search of the changes took too long, and nothing else happened.
  await page.route(
    url =>
      url.pathname.endsWith('/timeline') && !url.searchParams.has('after') && url.pathname.includes('/api/'),
    route => route.fulfill({ json: { items: [], next: `${Date.now() + 60_000}.-1.` } }),
  );
  await page.goto(deviceAddress(device, '/timeline'));
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline.getByText('Nothing so far')).toBeVisible();
  await expect(timeline.getByText('Nothing happened in this period')).toHaveCount(0);
  await timeline.getByRole('button', { name: 'Older' }).click();
  await expect(timeline.getByText('Device Hall updated')).toBeVisible();
  await expect(timeline.getByText('Nothing so far')).toHaveCount(0);
});
