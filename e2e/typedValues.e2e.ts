import type { Page } from '@playwright/test';
import { writeDesired } from '#contract/deviceState.ts';
import { aChannel, aDevice, classAddress, deviceAddress, test } from './devices/devicePage.ts';
import { aBundle, channelAddress } from './firmware/firmwarePage.ts';
import { expect } from './world.ts';

const question = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

/** Reloads the page as far as the browser's own question, and answers it with "Cancel". */
async function tryReload(page: Page): Promise<string> {
  const asked = page.waitForEvent('dialog');
  const reloading = page.reload().catch(() => undefined);
  const dialog = await asked;
  await dialog.dismiss();
  await Promise.race([reloading, page.evaluate(() => undefined)]);
  return dialog.type();
}

test('what was typed into a dialog is lost by Back and by a reload only after a question', async ({
  page,
  project,
}) => {
  await page.goto(classAddress(project, '/thermostat/instances'));
  await page.getByRole('button', { name: 'Add device' }).first().click();
  const tag = page.getByRole('dialog', { name: 'Add device' }).getByLabel('Tag');
  await tag.pressSequentially('cellar-01');
  await page.goBack();
  await question(page, 'Discard your changes?').getByRole('button', { name: 'Keep editing' }).click();
  await expect(tag).toHaveValue('cellar-01');
  await expect(page).toHaveURL(/#new$/);
  expect(await tryReload(page)).toBe('beforeunload');
  await expect(tag).toHaveValue('cellar-01');
  await page.goBack();
  await question(page, 'Discard your changes?').getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(tag).toBeHidden();
  await expect(page).toHaveURL(/instances$/);

  // Asked once, whichever way it is closed.
  await page.getByRole('button', { name: 'Add device' }).first().click();
  await tag.pressSequentially('cellar-02');
  await page.keyboard.press('Escape');
  await question(page, 'Discard your changes?').getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/instances$/);
});

test('a desired value that is being typed is kept when the page is left by mistake', async ({
  page,
  developer,
  device,
}) => {
  const params = { deviceId: device.id };
  await developer.client.call(writeDesired, { params, body: { desired: { target: 18 } } });
  await page.goto(deviceAddress(device));
  await page.getByRole('button', { name: 'Set desired target' }).click();
  const cell = page.getByLabel('Desired target');
  await cell.press('ControlOrMeta+a');
  await cell.pressSequentially('25');
  await page.getByRole('link', { name: 'System logs' }).click();
  await question(page, 'Leave without saving?').getByRole('button', { name: 'Keep editing' }).click();
  await expect(cell).toHaveValue('25');
  expect(await tryReload(page)).toBe('beforeunload');
  await expect(cell).toHaveValue('25');
});

test('the choices for a change of the bundle are kept when the page is left by mistake', async ({
  page,
  platform,
  developer,
  project,
}) => {
  const { id: channelId } = await aChannel(developer, project, 'stable');
  await aBundle(developer, project, platform.url, 'Bundle 1', '1.0');
  await page.goto(channelAddress(project, `/${channelId}/bundle`));
  const chosen = page.getByRole('radio', { name: 'All at once' });
  await chosen.click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await question(page, 'Leave without starting?').getByRole('button', { name: 'Keep editing' }).click();
  await expect(chosen).toBeChecked();
  expect(await tryReload(page)).toBe('beforeunload');
  await page.getByRole('button', { name: 'Change now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change now' }).click();
  await expect(page).toHaveURL(new RegExp(`/channels/${channelId}$`));
});

test('a save that is refused after its screen was left says so on the next screen', async ({
  page,
  developer,
  project,
  device,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/devices/*');
  const { claimCode = '' } = await aDevice(developer, project, { tag: 'hall-02' });
  const left = Promise.withResolvers<void>();
  await page.route(/\/api\/devices\/\w+$/, async route => {
    if (route.request().method() === 'PATCH') await left.promise;
    await route.fallback();
  });
  await page.goto(deviceAddress(device));
  await page.getByRole('button', { name: 'Edit identity' }).click();
  await page.getByLabel('Claim code').fill(claimCode);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeVisible();
  left.resolve();
  const notice = page.getByRole('main').getByRole('status').filter({ hasText: 'was not saved' });
  await expect(notice).toContainText('CLAIM_CODE_TAKEN');
});
