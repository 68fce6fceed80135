import { listDevices } from '#contract/device.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { readGateway } from '#contract/gateway.ts';
import { mqttDevice } from '#test/mqttDevice.ts';
import { deaf, expect, expectAccessible, expectNoSidewaysScroll, test } from '../world.ts';

test('an empty project teaches how to connect a first device, and turns into the overview once it speaks', async ({
  page,
  developer,
  project,
}) => {
  await page.goto(`/projects/${project.id}`);
  const start = page.getByRole('region', { name: 'Connect your first device' });
  await expect(start).toBeVisible();
  await expect(page.getByRole('region', { name: 'Fleet' })).toHaveCount(0);
  await expectAccessible(page);
  await start.getByRole('button', { name: 'Fill in a device and its key' }).click();
  await start.getByRole('button', { name: 'curl' }).click();
  const lines = start.getByRole('region', { name: 'Connect with curl, code' });
  const { items } = await developer.client.call(listDevices, { query: { projectId: project.id } });
  const id = items[0]?.id ?? '';
  await expect(lines).toContainText(id);
  const apiKey =
    /[\w-]{32}(?=["'\s])/.exec(((await lines.textContent()) ?? '').replaceAll(id, ''))?.[0] ?? '';
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);

  const { mqtt } = await developer.client.call(readGateway, {});
  await using hardware = await mqttDevice(`mqtt://${mqtt?.host}:${mqtt?.port}`, { id, apiKey });
  await hardware.say('state', { temperature: 21.5 });
  await expect(page.getByRole('region', { name: 'Fleet' }).getByRole('heading')).toHaveText(
    '1 of 1 connected',
  );
  await expect(start).toHaveCount(0);
});

test('one press in an empty project makes a device and opens it in the simulator', async ({
  page,
  context,
  project,
}) => {
  await page.goto(`/projects/${project.id}`);
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Simulate a device' }).click();
  await expect(await opened).toHaveURL(/\/devicesim\//);
  await expect(page.getByRole('region', { name: 'Fleet' })).toBeVisible();
});

test('a first class that was just made in another window does not stand in the way', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  await deaf(page);
  await page.goto(`/projects/${project.id}`);
  const fill = page.getByRole('button', { name: 'Fill in a device and its key' });
  await expect(fill).toBeEnabled();
  const params = { projectId: project.id };
  await developer.client.call(createDeviceClass, { params, body: { id: 'thermostat' } });
  expectRefused('409 POST /api/projects/*/deviceClasses');
  await fill.press('Enter');
  await expect(page.getByRole('region', { name: 'Connect with mosquitto, code' })).toBeVisible();
  await expect(page.getByText('ID_TAKEN')).toBeHidden();
  await expect(page.locator(':focus')).toHaveCount(1);
});
