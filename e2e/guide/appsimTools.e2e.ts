import type { Page } from '@playwright/test';
import { createApp } from '#contract/app.ts';
import { listDevices } from '#contract/device.ts';
import { listDeviceEntities } from '#contract/deviceState.ts';
import { editProject } from '#contract/project.ts';
import { createProxyRoute } from '#contract/proxyRoute.ts';
import { aBackEnd } from '#test/backEnds.ts';
import { test } from '../devices/devicePage.ts';
import { expect, expectAccessible } from '../world.ts';
import { registerOn } from './appsimPage.ts';

const appId = 'lamps';
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('an app calls its back end through a proxy route, and creates devices on demand', async ({
  page,
  context,
  watch,
  platform,
  developer: { client },
  project,
  expectRefused,
}) => {
  expectRefused('404 GET /app/v1/*/projects/*/entities/*/appProxy/other');
  test.slow();
  await using backEnd = await aBackEnd((_, response) => response.end('{"kWh":12}'));
  const params = { projectId: project.id };
  await client.call(createApp, { params, body: { id: appId } });
  await client.call(editProject, { params, body: { onDemandProvisioning: true } });
  for (const resource of ['project', 'user', 'home', 'device', 'entity'] as const)
    await client.call(createProxyRoute, {
      body: {
        projectId: project.id,
        resource,
        sourcePath: '/energy',
        targetUrl: `${backEnd.url}/${resource}`,
      },
    });
  await page.goto(`/projects/${project.id}/apps/${appId}`);
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Open simulator' }).click();
  const app = await opened;
  watch(app);
  await expect(app).toHaveURL(`/appsim/${project.id}/${appId}?el=1&odp=1`);
  await registerOn(app, platform.url);
  await app.getByRole('button', { name: 'Create home' }).click();

  const adding = panel(app, 'Add a device');
  await adding.getByRole('button', { name: 'On demand' }).click();
  await adding.getByLabel('Device class').fill('thermostat');
  await adding.getByLabel('Name').fill('Hall');
  await adding.getByRole('button', { name: 'Create device' }).click();
  const tiles = app.getByRole('list', { name: 'Devices' });
  await expect(tiles.getByRole('button', { name: 'Hall' })).toBeVisible();
  await expectAccessible(app);
  const simulated = context.waitForEvent('page');
  await adding.getByRole('link', { name: 'Simulate it' }).click();
  const device = await simulated;
  watch(device);
  await expect(device.getByText('Connected', { exact: true }).first()).toBeVisible();
  // The key does not stay in the address.
  expect(device.url()).not.toContain('apiKey');
  await expect(tiles).toContainText('Connected');
  const { items } = await client.call(listDevices, { query: { ...params, limit: 25 } });
  expect(items.map(({ name }) => name)).toEqual(['Hall']);

  await device.getByRole('button', { name: 'Setup' }).click();
  const entities = panel(device, 'Entities');
  for (const name of ['lamp-1', 'lamp-2']) {
    await entities.getByRole('button', { name: 'Add entity' }).click();
    await expect(entities).toContainText(name);
  }
  const deviceId = items[0]?.id ?? '';
  await expect
    .poll(async () => (await client.call(listDeviceEntities, { params: { deviceId } })).length)
    .toBe(2);

  const calling = panel(app, 'Call your back end');
  for (const resource of ['project', 'user', 'home', 'device', 'entity']) {
    await calling.getByLabel('Resource').selectOption(resource);
    if (resource === 'entity') await calling.getByLabel('Entity', { exact: true }).fill('lamp-2');
    await calling.getByLabel('Path').fill('/energy/months?year=2026');
    await calling.getByRole('button', { name: 'Call', exact: true }).click();
    await expect.poll(() => backEnd.received.at(-1)?.url).toBe(`/${resource}/months?year=2026`);
    await expect(calling.getByRole('status')).toContainText('"kWh": 12');
  }
  expect(backEnd.received.at(-1)?.headers).toMatchObject({
    'x-mooring-entity': `${deviceId}:lamp-2`,
    'x-mooring-device': deviceId,
    'x-mooring-role': 'owner',
  });
  await expectAccessible(app);
  await calling.getByLabel('Path').fill('/other');
  await calling.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(calling.getByRole('status')).toContainText('NO_PROXY_ROUTE');
});

test('homes that arrive after a user has signed out are not shown to the next user', async ({
  page,
  platform,
  developer: { client },
  project,
}) => {
  test.slow();
  await client.call(createApp, { params: { projectId: project.id }, body: { id: appId } });
  await page.goto(`/appsim/${project.id}/${appId}`);
  await registerOn(page, platform.url);
  await page.getByLabel('Name').fill('The first home');
  await page.getByRole('button', { name: 'Create home' }).click();
  await expect(page.getByText('No devices yet.')).toBeVisible();
  // The first answer to a read of homes is delayed until another user is signed in, and the next one forever.
  const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  let reads = 0;
  await page.route(/\/homes$/, async route => {
    reads += 1;
    if (reads > 1) return asked[1].resolve();
    const response = await route.fetch();
    asked[0].resolve();
    await mayGo;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Go offline' }).click();
  await page.getByRole('button', { name: 'Go online' }).click();
  await asked[0].promise;
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await registerOn(page, platform.url);
  go();
  await asked[1].promise;
  const phone = page.getByRole('region', { name: 'Phone' });
  await expect(phone).not.toContainText('The first home');
  await expect(phone.getByRole('alert')).toHaveCount(0);
});
