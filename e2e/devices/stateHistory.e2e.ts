import type { Page } from '@playwright/test';
import { expect, expectAccessible } from '../world.ts';
import { aClass, aDevice, classAddress, connected, deviceAddress, test } from './devicePage.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a number is opened with the keyboard, read as a table and downloaded as a file', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  const properties = { celsius: { type: 'number', unit: '°C', title: 'Measured' }, on: { type: 'boolean' } };
  await aClass(developer, project, { stateSchema: { type: 'object', properties } });
  const device = await aDevice(developer, project);
  await using hardware = await connected(developer, device);
  await hardware.say('state', { celsius: 20, on: true, mode: 'heat' });
  await hardware.say('state', { celsius: 22.5, on: false });
  await page.goto(deviceAddress(device));
  const history = panel(page, 'History');
  await expect(history.getByRole('button', { expanded: false })).toHaveCount(2);
  const celsius = history.getByRole('button', { name: /^celsius 21.3 °C 20 to 22.5/ });
  await expect(history.getByRole('button', { name: /^on 50 % of reports true/ })).toBeVisible();
  await celsius.focus();
  await page.keyboard.press('Enter');
  const large = panel(page, 'History of celsius');
  await expect(large.getByText('on average, from 20 °C to 22.5 °C; 2 reports')).toBeVisible();
  await expect(
    large.getByRole('img', { name: /^celsius in the last 24 hours: 21.3 °C on average/ }),
  ).toBeVisible();
  await expectAccessible(page);
  await history.getByRole('button', { name: '1 h', exact: true }).click();
  await large.getByRole('button', { name: 'Show as table' }).click();
  await expect(large.getByRole('table', { name: 'celsius' })).toContainText('22.5 °C');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    large.getByRole('link', { name: 'CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^dev_\w+-celsius-.*\.csv$/);
  // The address contains the whole state of the screen.
  await page.reload();
  await expect(large).toBeVisible();
  await large.getByRole('button', { name: 'Close the chart of celsius' }).click();
  await expect(large).toHaveCount(0);
  await history.getByRole('button', { name: 'Custom' }).click();
  await history.getByLabel('To', { exact: true }).fill('2020-01-01T10:00');
  await expect(
    history.getByRole('status').filter({ hasText: 'The end must be after the start' }),
  ).toBeVisible();

  // For the class: which devices report the number, also as a file.
  await page.goto(`${classAddress(project)}/thermostat/overview?number=celsius&history=1h`);
  const ofClass = panel(page, 'History of celsius').getByRole('region', { name: 'Devices by value' });
  await expect(ofClass).toContainText('1 device reports it');
  await ofClass.getByRole('button', { name: 'Latest' }).click();
  await expect(page).toHaveURL(/rank=latest/);
  await expectAccessible(page);
  await ofClass.getByRole('link', { name: /^hall-01 22.5 °C/ }).click();
  await expect(page).toHaveURL(new RegExp(`/devices/${device.id}`));
});

test('large numbers that differ by little have a chart and a text that tell them apart', async ({
  page,
  developer,
  project,
}) => {
  const device = await aDevice(developer, project);
  await using hardware = await connected(developer, device);
  for (const more of [0, 1, 2]) {
    await hardware.say('state', { counted: 10_000_000_000_001 + more, clock: 1_800_000_000 + more * 50 });
  }
  await page.goto(`${deviceAddress(device)}?number=counted`);
  const history = panel(page, 'History');
  await expect(
    history.getByRole('button', { name: /^clock 1,800,000,050 1,800,000,000 to 1,800,000,100/ }),
  ).toBeVisible();
  await expect(
    panel(page, 'History of counted').getByText('from 10,000,000,000,001 to 10,000,000,000,003'),
  ).toBeVisible();
  const drawn = await history.locator('svg').evaluateAll(all => all.map(svg => svg.outerHTML).join(''));
  expect(drawn).not.toContain('NaN');
});
