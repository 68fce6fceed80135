import { createApp } from '#contract/app.ts';
import { editDevice } from '#contract/device.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { createHome, deleteHome, listHomes } from '#contract/home.ts';
import { editProject } from '#contract/project.ts';
import { listUsers } from '#contract/user.ts';
import { aDevice, test } from './devices/devicePage.ts';
import { registerOn } from './guide/appsimPage.ts';
import { expect } from './world.ts';

const appId = 'thermo';

test('an invitation that was begun for one home is not sent to another', async ({
  page,
  platform,
  developer: { client },
  project: { id: projectId },
}) => {
  await client.call(createApp, { params: { projectId }, body: { id: appId } });
  await page.goto(`/appsim/${projectId}/${appId}`);
  await registerOn(page, platform.url);
  await page.getByLabel('Name').fill('Kitchen house');
  await page.getByRole('button', { name: 'Create home' }).click();
  await expect(page.getByText('No devices yet.')).toBeVisible();
  const [owner] = (await client.call(listUsers, { query: { projectId } })).items;
  const body = { projectId, ownerId: owner?.id ?? '', name: 'Attic house', timeZone: 'Europe/Tallinn' };
  await client.call(createHome, { body });
  await page.getByRole('navigation', { name: 'App' }).getByRole('button', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('E-mail').fill('guest@example.com');
  const homes = (await client.call(listHomes, { query: { projectId } })).items;
  const kitchen = homes.find(({ name }) => name === 'Kitchen house');
  await client.call(deleteHome, { params: { homeId: kitchen?.id ?? '' } });
  await expect(page.getByText('Attic house').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send invitation' })).toBeHidden();
});

test('a duplicated tab of the app simulator is a phone of its own, and ends no session', async ({
  page,
  platform,
  developer: { client },
  project: { id: projectId },
}) => {
  await client.call(createApp, { params: { projectId }, body: { id: appId } });
  await page.goto(`/appsim/${projectId}/${appId}`);
  await registerOn(page, platform.url);
  const opened = page.waitForEvent('popup');
  // A window that a page opens gets a copy of its storage, like a duplicated tab.
  await page.evaluate(() => void window.open(window.location.href));
  const copy = await opened;
  await expect(copy.getByRole('button', { name: 'Create account' })).toBeVisible();
  await page.reload();
  await expect(page.getByText('Signed in', { exact: true })).toBeVisible();
});

test('a claim code of any length and case is typed as it is', async ({
  page,
  platform,
  developer,
  project,
}) => {
  const { client } = developer;
  const projectId = project.id;
  const { id: deviceId } = await aDevice(developer, project, { tag: 'lamp-01' });
  await client.call(editDevice, { params: { deviceId }, body: { claimCode: 'lampNo7' } });
  await client.call(createApp, { params: { projectId }, body: { id: appId } });
  await page.goto(`/appsim/${projectId}/${appId}`);
  await registerOn(page, platform.url);
  await page.getByRole('button', { name: 'Create home' }).click();
  await page.getByLabel('Claim code').fill('lamp-No7');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/lamp-01 is in /)).toBeVisible();
});

test('the key of a created device stays while another home is opened, with the name of its home', async ({
  page,
  platform,
  developer,
  project: { id: projectId },
}) => {
  const { client } = developer;
  await client.call(createApp, { params: { projectId }, body: { id: appId } });
  await client.call(editProject, { params: { projectId }, body: { onDemandProvisioning: true } });
  await client.call(createDeviceClass, { params: { projectId }, body: { id: 'lamp' } });
  await page.goto(`/appsim/${projectId}/${appId}`);
  await registerOn(page, platform.url);
  await page.getByLabel('Name').fill('Kitchen house');
  await page.getByRole('button', { name: 'Create home' }).click();
  await page.getByRole('button', { name: 'On demand' }).click();
  await page.getByLabel('Device class').fill('lamp');
  await page.getByRole('button', { name: 'Create device' }).click();
  await expect(page.getByText('The device is in Kitchen house.')).toBeVisible();
  const [owner] = (await client.call(listUsers, { query: { projectId } })).items;
  const body = { projectId, ownerId: owner?.id ?? '', name: 'Attic house', timeZone: 'Europe/Tallinn' };
  await client.call(createHome, { body });
  await page.getByRole('button', { name: /choose another home/ }).click();
  await page.getByRole('button', { name: /^Attic house/ }).click();
  await expect(page.getByRole('button', { name: /^Attic house/ })).toBeVisible();
  await expect(page.getByText('The device is in Kitchen house.')).toBeVisible();
});

test('alerts that cannot be read are not shown as none', async ({
  page,
  platform,
  developer,
  project: { id: projectId },
}) => {
  await developer.client.call(createApp, { params: { projectId }, body: { id: appId } });
  await page.goto(`/appsim/${projectId}/${appId}`);
  await registerOn(page, platform.url);
  await page.route('**/alerts?*', route =>
    route.fulfill({ status: 429, json: { reason: 'TOO_MANY_REQUESTS', message: 'Too many requests.' } }),
  );
  await page.getByRole('button', { name: 'Create home' }).click();
  await expect(page.getByText('No devices yet.')).toBeVisible();
  const app = page.getByRole('navigation', { name: 'App' });
  await app.getByRole('button', { name: 'Alerts' }).click();
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  await expect(page.getByText('No device of this home has raised an alert.')).toBeHidden();
  await page.unroute('**/alerts?*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No device of this home has raised an alert.')).toBeVisible();
});
