import { readFile } from 'node:fs/promises';
import { listDevices } from '#contract/device.ts';
import { aClass, aDevice, classAddress } from './devicePage.ts';
import { expect, expectAccessible, test } from './world.ts';

test('a file is checked before anything is written, mended and applied', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  await aClass(developer, project);
  await page.goto(classAddress(project, '/thermostat/instances'));
  await page.getByRole('button', { name: 'Import' }).first().click();
  await expect(page).toHaveURL(/#import$/);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Check file' }).click();
  await expect(dialog.getByText('REQUIRED')).toBeVisible();
  await expectAccessible(page);

  const csv = (...rows: string[]) => Buffer.from(['tag,name,channel', ...rows, ''].join('\n'));
  const bad = { name: 'lot.csv', mimeType: 'text/csv', buffer: csv('lot-1,One,', `${'x'.repeat(101)},Two,`) };
  await dialog.getByLabel('File', { exact: true }).setInputFiles(bad);
  await dialog.getByRole('button', { name: 'Check file' }).click();
  await expect(dialog.getByText('1 of 2 devices cannot be taken.')).toBeVisible();
  await expect(dialog.getByRole('table', { name: 'Faults' }).getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  const query = { projectId: project.id };
  expect((await developer.client.call(listDevices, { query })).total).toBe(0);

  await dialog.getByRole('button', { name: 'Choose another file' }).click();
  const good = { name: 'lot.csv', mimeType: 'text/csv', buffer: csv('lot-1,One,', 'lot-2,Two,beta') };
  await dialog.getByLabel('File', { exact: true }).setInputFiles(good);
  await dialog.getByRole('button', { name: 'Check file' }).click();
  await expect(dialog.getByText('All 2 devices are well. Nothing is written yet.')).toBeVisible();
  await page.reload();
  await dialog.getByRole('button', { name: 'Add 2 devices' }).click();
  await expect(dialog.getByText('2 devices added.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('row', { name: /lot-2/ })).toContainText('beta');
});

test('what the list finds is exported, and comes back by an import', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  await aClass(developer, project);
  await aDevice(developer, project, { tag: 'hall-01' });
  await aDevice(developer, project, { tag: 'attic-7' });
  await page.goto(classAddress(project, '/thermostat/instances'));
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'As JSON' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('thermostat.json');

  const other = await aProject('Elsewhere');
  await aClass(developer, other);
  await page.goto(classAddress(other, '/thermostat/instances#import'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('File', { exact: true }).setInputFiles({
    name: file.suggestedFilename(),
    mimeType: 'application/json',
    buffer: await readFile(await file.path()),
  });
  await dialog.getByRole('button', { name: 'Check file' }).click();
  await dialog.getByRole('button', { name: 'Add 2 devices' }).click();
  await expect(dialog.getByText('2 devices added.')).toBeVisible();
});
