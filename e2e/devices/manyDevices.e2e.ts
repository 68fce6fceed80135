import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { listDevices } from '#contract/device.ts';
import { expect, expectAccessible } from '../world.ts';
import { aChannel, aClass, aDevice, classAddress, test } from './devicePage.ts';

test('a file is checked before anything is written, corrected and applied', async ({
  page,
  developer,
  project,
}) => {
  await aChannel(developer, project, 'beta');
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
  await expect(dialog.getByText('1 of 2 devices cannot be imported.')).toBeVisible();
  await expect(dialog.getByRole('table', { name: 'Errors' }).getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  const query = { projectId: project.id };
  expect((await developer.client.call(listDevices, { query })).total).toBe(0);

  await dialog.getByRole('button', { name: 'Choose another file' }).click();
  const good = { name: 'lot.csv', mimeType: 'text/csv', buffer: csv('lot-1,One,', 'lot-2,Two,beta') };
  await dialog.getByLabel('File', { exact: true }).setInputFiles(good);
  await dialog.getByRole('button', { name: 'Check file' }).click();
  await expect(dialog.getByText('All 2 devices are ready to import. Nothing is written yet.')).toBeVisible();
  await page.reload();
  await dialog.getByRole('button', { name: 'Add 2 devices' }).click();
  await expect(dialog.getByText('2 devices added.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('row', { name: /lot-2/ })).toContainText('beta');
});

test('the devices in the list are exported and imported again', async ({
  page,
  developer,
  aProject,
  project,
}) => {
  await aDevice(developer, project, { tag: 'hall-01' });
  await aDevice(developer, project, { tag: 'attic-7' });
  await page.goto(classAddress(project, '/thermostat/instances'));
  const file = await exportedBy(page, '2 devices');
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

test('a filtered list exports the matching devices', async ({ page, developer, project }) => {
  await aChannel(developer, project, 'beta');
  await aDevice(developer, project, { tag: 'hall-01', channel: 'beta' });
  await aDevice(developer, project, { tag: 'hall-02' });
  await aDevice(developer, project, { tag: 'attic-7', channel: 'beta' });
  await page.goto(classAddress(project, '/thermostat/instances?q=hall&channel=beta'));
  expect(await tagsIn(await exportedBy(page, '1 device'))).toEqual(['hall-01']);
  await page.goto(classAddress(project, '/thermostat/instances?channel=stable'));
  expect(await tagsIn(await exportedBy(page, '1 device'))).toEqual(['hall-02']);
});

test('any number of selected devices is exported', async ({ page, developer, project }) => {
  const tags = Array.from({ length: 199 }, (_, i) => `lot-${String(i).padStart(3, '0')}`);
  for (let at = 0; at < tags.length; at += 20)
    await Promise.all(tags.slice(at, at + 20).map(tag => aDevice(developer, project, { tag })));
  await page.goto(classAddress(project, '/thermostat/instances?size=100&sort=tag:asc'));
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('lot-198')).toBeVisible();
  await page.getByLabel('Select all on this page').check();
  await page.getByLabel('Select lot-150').uncheck();
  await expect(page.getByText('198 selected')).toBeVisible();
  const file = await exportedBy(page, '198 devices');
  expect(file.suggestedFilename()).toBe('thermostat.json');
  expect((await tagsIn(file)).toSorted()).toEqual(tags.filter(tag => tag !== 'lot-150'));
});

/** Exports with the menu that shows this text: the list's, or the selection's. */
async function exportedBy(page: Page, said: string): Promise<Download> {
  await page.getByRole('button', { name: 'Export' }).last().click();
  // Within the menu: the title of the list can have the same text.
  const menu = page.locator('[popover]', { has: page.getByRole('menu') });
  await expect(menu.getByText(said, { exact: true })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'As JSON' }).click();
  return download;
}

async function tagsIn(file: Download): Promise<string[]> {
  const devices = JSON.parse(await readFile(await file.path(), 'utf8')) as { tag: string }[];
  return devices.map(({ tag }) => tag);
}
