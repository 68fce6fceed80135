import type { Page } from '@playwright/test';
import { writeDesired } from '#contract/deviceState.ts';
import { createHome } from '#contract/home.ts';
import { addHomeDevice } from '#contract/homeDevice.ts';
import { createUser } from '#contract/user.ts';
import { test as base, deviceAddress } from './devices/devicePage.ts';
import { anEmail, expect } from './world.ts';

/** The pieces that a screen loads when they are first used; after an upgrade, the server no longer has these files. */
const pieces =
  /\/assets\/(Palette|Inspector|Shortcuts|PasswordProof|CodeEditor|Qr|DiffView|json|cel|htmlLiquid)-/;

/** Not watched, because the browser logs each file that is gone. */
const test = base.extend({
  page: async ({ context, developer: _ }, use) => {
    const page = await context.newPage();
    await page.route(pieces, route => route.fulfill({ status: 404, body: 'Not found' }));
    await use(page);
  },
});

const missing = (page: Page) =>
  page.getByText('This part of the console could not be loaded. Reload the page to see it.');
const band = (page: Page) => page.getByText('Part of the console could not be loaded, possibly because');

test('after an upgrade, no piece of a device’s page takes along what was typed', async ({
  page,
  developer: { client },
  device,
}) => {
  await client.call(writeDesired, { params: { deviceId: device.id }, body: { desired: { target: 18 } } });
  await page.goto(deviceAddress(device));
  await page.getByRole('button', { name: 'QR', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit all desired state' }).click();
  const desired = page.getByRole('textbox', { name: 'Desired state' });
  await expect(band(page)).toBeVisible();
  await desired.fill('{"target": 21}');
  for (const press of [
    () => page.keyboard.press('ControlOrMeta+k'),
    () => page.getByRole('button', { name: 'API', exact: true }).click(),
    () => page.getByRole('button', { name: 'QR', exact: true }).click(),
  ]) {
    await press();
    await expect(desired).toHaveValue('{"target": 21}');
  }
  await expect(missing(page)).toBeVisible();
  await page.getByRole('button', { name: 'Send command' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send command' });
  await dialog.getByLabel('Name').fill('blink');
  await dialog.getByRole('textbox', { name: 'Arguments' }).fill('{"times": 3}');
  await dialog.getByRole('button', { name: 'Send command' }).click();
  await expect(page.getByText('Command sent')).toBeVisible();
  await page.getByRole('button', { name: 'Save desired' }).click();
  await expect(page.getByText('Desired state saved')).toBeVisible();
  // Reloading asks first: something else may be typed.
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
});

test('after an upgrade, a save that needs the password fails instead of staying busy', async ({ page }) => {
  await page.route(/\/api\/developers\/\w+$/, route =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 403, json: { reason: 'REAUTH_REQUIRED', message: 'Enter your password.' } })
      : route.fallback(),
  );
  await page.goto('/account');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('Name').fill('Mari Tamm');
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await expect(page.getByText('REAUTH_REQUIRED')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Mari Tamm');
  await expect(band(page)).toBeVisible();
  // It can be sent again.
  await page.unroute(/\/api\/developers\/\w+$/);
  await save.click();
  await expect(page.getByText('Profile saved')).toBeVisible();
});

test('after an upgrade, a device is released and two-factor sign-in is set up without their pictures', async ({
  page,
  developer: { client, password },
  device,
}) => {
  const { projectId } = device;
  const { id: ownerId } = await client.call(createUser, { body: { projectId, email: anEmail() } });
  const body = { projectId, ownerId, name: 'Harbour house', timeZone: 'Europe/Tallinn' };
  const { id: homeId } = await client.call(createHome, { body });
  await client.call(addHomeDevice, { params: { homeId }, body: { deviceId: device.id } });
  await page.goto(`/projects/${projectId}/homes/${homeId}`);
  await page.getByRole('row', { name: device.tag }).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Release from home' }).click();
  await page.getByRole('button', { name: 'Release device' }).click();
  const released = page.getByRole('dialog', { name: 'Device released' });
  await expect(released.getByRole('button', { name: 'Copy claim code' })).toBeVisible();
  await expect(missing(page)).toBeVisible();

  await page.goto('/account');
  await page
    .getByRole('region', { name: 'Two-factor authentication' })
    .getByRole('button', { name: 'Turn on' })
    .click();
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy secret' })).toBeVisible();
  await expect(missing(page)).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Code' })).toBeVisible();
});
