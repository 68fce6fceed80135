import { Secret, TOTP } from 'otpauth';
import { createApp } from '#contract/app.ts';
import { readDevice } from '#contract/device.ts';
import { createHome } from '#contract/home.ts';
import { addHomeDevice } from '#contract/homeDevice.ts';
import { createUser } from '#contract/user.ts';
import { aDevice, classAddress, deviceAddress, test as ofDevices } from './devices/devicePage.ts';
import { loseAnswers } from './lostAnswers.ts';
import { anEmail, expect } from './world.ts';

// Not watched, because the browser logs each call without an answer.
const test = ofDevices.extend({
  page: async ({ context, developer: _ }, use) => use(await context.newPage()),
});

test('what was deleted is gone from the screen, although the answer was lost', async ({
  page,
  developer: { client },
  project,
}) => {
  const dialog = page.getByRole('dialog');
  const { id: projectId } = project;
  const { id: appId } = await client.call(createApp, { params: { projectId }, body: { id: 'porch' } });
  for (const { noun, said, address, list, path } of [
    {
      noun: 'app',
      said: 'App deleted',
      address: `/projects/${projectId}/apps/${appId}`,
      list: /\/apps$/,
      path: /\/api\/apps\//,
    },
    {
      noun: 'device class',
      said: 'Device class deleted',
      address: classAddress(project, '/thermostat/overview'),
      list: /\/device_classes$/,
      path: /\/api\/deviceClasses\//,
    },
  ]) {
    const lost = await loseAnswers(page, 'DELETE', path);
    await page.goto(address);
    await page.getByRole('main').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: `Delete ${noun}` }).click();
    await dialog.getByRole('button', { name: `Delete ${noun}` }).click();
    await expect(page).toHaveURL(list);
    await expect(page.getByText(said)).toBeVisible();
    expect(lost()).toBe(1);
    await expect(dialog).toHaveCount(0);
  }
});

test('a deletion that was made while the network went away ends with the next press', async ({
  page,
  device,
}) => {
  const dialog = page.getByRole('dialog');
  const lost = await loseAnswers(page, 'DELETE', /\/api\/devices\//, 2);
  await page.goto(deviceAddress(device));
  await page.getByRole('main').getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete device' }).click();
  await dialog.getByRole('button', { name: 'Delete device' }).click();
  await expect(dialog.getByText('CONNECTION_ERROR')).toBeVisible();
  expect(lost()).toBe(2);
  await dialog.getByRole('button', { name: 'Delete device' }).click();
  await expect(page.getByText('Device deleted')).toBeVisible();
  await expect(page).toHaveURL(/\/instances$/);
});

test('a project that was deleted is left, although the answer was lost', async ({ page, aProject }) => {
  const { id, name } = await aProject('Short stay');
  await loseAnswers(page, 'DELETE', /\/api\/projects\/\w+$/);
  await page.goto(`/projects/${id}/settings`);
  await page.getByRole('button', { name: 'Delete project' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await dialog.getByRole('button', { name: 'Delete project' }).click();
  // Without the id of the deletion, which the answer had.
  await expect(page).toHaveURL(/\/projects$/);
  await expect(page.getByRole('link', { name })).toHaveCount(0);
});

test('the claim code of a released device is shown, although the answer was lost', async ({
  page,
  developer,
  project,
}) => {
  const { client } = developer;
  const { id: projectId } = project;
  const { id: ownerId } = await client.call(createUser, { body: { projectId, email: anEmail() } });
  const body = { projectId, ownerId, name: 'Harbour house', timeZone: 'Europe/Tallinn' };
  const { id: homeId } = await client.call(createHome, { body });
  const { id: deviceId } = await aDevice(developer, project);
  await client.call(addHomeDevice, { params: { homeId }, body: { deviceId } });
  await loseAnswers(page, 'DELETE', /\/homes\/\w+\/devices\//);
  await page.goto(`/projects/${projectId}/homes/${homeId}`);
  await page.getByRole('button', { name: 'Actions for hall-01' }).click();
  await page.getByRole('menuitem', { name: 'Release from home' }).click();
  await page.getByRole('button', { name: 'Release device' }).click();
  await expect(page.getByRole('dialog').getByText('CONNECTION_ERROR')).toBeVisible();
  await page.getByRole('button', { name: 'Release device' }).click();
  const released = page.getByRole('dialog', { name: 'Device released' });
  const { claimCode = '' } = await client.call(readDevice, { params: { deviceId } });
  await expect(released.getByRole('button', { name: `Copy claim code: ${claimCode}` })).toBeVisible();
});

test('the recovery codes are shown, although the answer that brought them was lost', async ({
  page,
  developer,
}) => {
  const dialog = page.getByRole('dialog');
  await page.goto('/account');
  await page.getByRole('button', { name: /Turn on/ }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(developer.password);
  await page.keyboard.press('Enter');
  const shown = await page.getByRole('button', { name: 'Copy secret' }).locator('..').innerText();
  const secret = Secret.fromBase32(/[A-Z2-7]{32}/.exec(shown)?.[0] ?? '');
  await loseAnswers(page, 'POST', /\/verifyAuth2F$/);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate());
  await expect(dialog.getByText('CONNECTION_ERROR')).toBeVisible();
  await dialog.getByRole('button', { name: 'Turn on two-factor' }).click();
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
});
