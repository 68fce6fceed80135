import { readLogEntries } from '#contract/log.ts';
import { editProject } from '#contract/project.ts';
import { dayMs } from '#rules/time/durations.ts';
import { copied, expect, expectAccessible } from '../world.ts';
import { aClass, classAddress, deviceAddress, test } from './devicePage.ts';

test('a masked key is copied without being shown, and this is recorded', async ({
  page,
  developer,
  project,
  device,
}) => {
  await page.goto(deviceAddress(device));
  const key = page.getByRole('region', { name: 'Key', exact: true });
  const copy = async () => {
    await key.getByRole('button', { name: 'Copy API key' }).click();
    await expect(key.getByText('Copied', { exact: true })).toBeVisible();
  };
  expect(await copied(page, copy)).toBe(device.apiKey);
  await expect(page.getByText(device.apiKey ?? '')).toHaveCount(0);
  await expect(key.getByText('Copied', { exact: true })).toHaveCount(0);
  await expectAccessible(page);
  const entries = await developer.client.call(readLogEntries, {
    params: { projectId: project.id },
    query: {
      begin: new Date(Date.now() - dayMs).toISOString(),
      end: new Date(Date.now() + dayMs).toISOString(),
      action: 'readDeviceKey',
    },
  });
  expect(entries.map(({ text }) => text)).toEqual([`Key of device ${device.id} read`]);
});

test('a key that is shown only once is not lost by a stray click', async ({ page, developer, aProject }) => {
  const project = await aProject();
  const params = { projectId: project.id };
  await developer.client.call(editProject, { params, body: { forgetDeviceKeys: true } });
  await aClass(developer, project);
  await page.goto(classAddress(project, '/thermostat/instances'));
  await page.getByRole('button', { name: 'Add device' }).first().click();
  const added = page.getByRole('dialog', { name: 'Device added' });
  const asked = page.getByRole('dialog', { name: 'Close without copying the key?' });
  await page.getByRole('dialog').getByLabel('Tag').fill('hall-01');
  await page.keyboard.press('Enter');
  await expect(added).toBeVisible();
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => added.getByRole('button', { name: 'Close' }).last().click(),
    () => added.getByRole('button', { name: 'Open device' }).click(),
    () => page.goBack(),
  ];
  for (const leave of ways) {
    await leave();
    await expect(asked).toBeVisible();
    await asked.getByRole('button', { name: 'Back to the key' }).click();
    await expect(asked).toHaveCount(0);
    await expect(added).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await expect(asked).toBeVisible();
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Back to the key' }).click();
  // Copying a line of code that contains the key counts as copying the key.
  const line = await copied(page, () => added.getByRole('button', { name: 'Copy code' }).click());
  expect(line).toMatch(/[A-Za-z0-9]{32}/);
  await page.keyboard.press('Escape');
  await expect(added).toHaveCount(0);
  await expect(page).not.toHaveURL(/#new/);

  await page.getByRole('link', { name: /hall-01/ }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rotate key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
  const rotated = page.getByRole('dialog', { name: 'New key' });
  await expect(rotated).toBeVisible();
  await page.keyboard.press('Escape');
  await asked.getByRole('button', { name: 'Close without copying' }).click();
  await expect(rotated).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'hall-01' })).toBeVisible();
});

test('nothing is asked if keys can be read again', async ({ page, project }) => {
  await page.goto(classAddress(project, '/thermostat/instances#new'));
  await page.getByRole('dialog').getByLabel('Tag').fill('hall-01');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Device added' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
