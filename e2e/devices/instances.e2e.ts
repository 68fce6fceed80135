import { expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';
import { aChannel, aDevice, classAddress, connected, test } from './devicePage.ts';

test('a device is added with its key shown, and found by its tag', async ({ page, project }) => {
  await page.goto(classAddress(project, '/thermostat/instances'));
  await expect(page.getByText('No thermostat yet')).toBeVisible();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tag').fill('hall-01');
  await dialog.getByLabel('Name').fill('Hall thermostat');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: /^Copy API key: [A-Za-z0-9]{32}$/ })).toBeVisible();
  await expect(dialog.getByText(/mosquitto_pub/)).toContainText('-h 127.0.0.1');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'TypeScript' }).click();
  await expect(dialog.getByText(/connectDevice/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Open device' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hall thermostat' })).toBeVisible();
  await expect(page.getByText('not connected yet')).toBeVisible();
  await expectAccessible(page);

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox').fill('hall-0');
  await page.getByRole('option', { name: 'Hall thermostat · hall-01' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hall thermostat' })).toBeVisible();

  // Enter works even if the search is still running.
  await page.goto(`/projects/${project.id}`);
  await expect(page.getByRole('heading', { level: 1, name: project.name })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox').fill('hall-0');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Hall thermostat' })).toBeVisible();
});

test('a list of devices is live: connects and disconnects are shown, counted and filtered', async ({
  page,
  developer,
  project,
}) => {
  const hall = await aDevice(developer, project, { tag: 'hall-01', name: 'Hall thermostat' });
  await aChannel(developer, project, 'beta');
  await aDevice(developer, project, { tag: 'attic-7', channel: 'beta' });
  await page.goto(classAddress(project, '/thermostat/instances'));
  const row = page.getByRole('row', { name: /Hall thermostat/ });
  await expect(row.getByText('Never connected')).toBeVisible();
  const hardware = await connected(developer, hall);
  await expect(row.getByText('Connected', { exact: true })).toBeVisible();
  const chip = page.getByRole('button', { name: /^Connected/ });
  await expect(chip).toHaveText('Connected1');
  await chip.click();
  await expect(page).toHaveURL(/state=connected/);
  await expect(page.getByText('attic-7')).toHaveCount(0);
  await expectAccessible(page);
  await hardware[Symbol.asyncDispose]();
  await expect(page.getByText('No matching devices')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(row.getByText('Disconnected')).toBeVisible();

  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Channel', { exact: true }).selectOption('beta');
  await expect(page).toHaveURL(/channel=beta/);
  await expect(row).toHaveCount(0);
  await page.getByLabel('Channel', { exact: true }).selectOption('stable');
  await expect(row).toBeVisible();
  await expect(page.getByText('attic-7')).toHaveCount(0);
  await page.keyboard.press('/');
  await page.keyboard.type('nothing like it');
  await expect(page.getByText('No matching devices')).toBeVisible();
  await expectAccessible(page);
});

test('a range is selected with Shift, and an action applies to all matching devices', async ({
  page,
  developer,
  project,
}) => {
  await aChannel(developer, project, 'field-test');
  for (let i = 0; i < 30; i++)
    await aDevice(developer, project, { tag: `lot-${String(i).padStart(2, '0')}` });
  await page.goto(classAddress(project, '/thermostat/instances?sort=tag:asc'));
  await page.getByLabel('Select lot-01').check();
  await page.getByLabel('Select lot-04').click({ modifiers: ['Shift'] });
  await expect(page.getByText('4 selected')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await expect(page.getByText('4 devices will be disconnected')).toBeVisible();
  await page.getByRole('button', { name: 'Suspend 4 devices' }).click();
  await expect(page.getByRole('row', { name: /lot-03/ }).getByText('Suspended')).toBeVisible();
  await expect(page.getByRole('row', { name: /lot-05/ }).getByText('Never connected')).toBeVisible();

  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Select all 30 matching' }).click();
  await expect(page.getByText('30 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Move to channel' }).click();
  await page.getByRole('dialog').getByLabel('Channel').selectOption('field-test');
  await page.getByRole('button', { name: 'Move 30 devices' }).click();
  await expect(page.getByText('Moved 30 devices.')).toBeVisible();
  await expect(page.getByRole('row', { name: /lot-09/ }).getByText('field-test')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('row', { name: /lot-29/ }).getByText('field-test')).toBeVisible();
  await expect(page.getByText('26–30 of 30')).toBeVisible();
  await expect(page).toHaveURL(/after=/);
});

test('a device is read and commanded on a phone', async ({ page, developer, project }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const device = await aDevice(developer, project, { name: 'Hall thermostat' });
  await page.goto(classAddress(project, '/thermostat/instances'));
  await page.getByRole('link', { name: /Hall thermostat/ }).click();
  await expect(page.getByRole('button', { name: 'Send command' })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(page.url()).toContain(device.id);
  // Below the name is the tag; the id is in a panel further down, and beside the name on wider screens.
  const head = page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) });
  await expect(head.getByRole('button', { name: /^Copy/ })).toHaveAccessibleName('Copy tag: hall-01');
  await page.keyboard.press('End');
  const identity = page.getByRole('region', { name: 'Identity' });
  await expect(identity.getByRole('button', { name: `Copy id: ${device.id}` })).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(head.getByRole('button', { name: /^Copy/ })).toHaveAccessibleName(`Copy id: ${device.id}`);
  await expect(identity.getByRole('button', { name: `Copy id: ${device.id}` })).toBeVisible();

  // After loading, a panel far below is drawn once it is near the view, or at once if the address names it.
  await page.setViewportSize({ width: 390, height: 500 });
  await page.reload();
  await expect(page.getByRole('region', { name: 'Setup' })).toBeVisible();
  const health = page.getByRole('region', { name: 'Health' });
  await expect(health).toHaveCount(0);
  await page.mouse.wheel(0, 5_000);
  await expect(health).toContainText('never connected');
  await page.goto(`${page.url()}#why`);
  await page.reload();
  await expect(page.getByRole('dialog', { name: 'Why this version?' })).toBeVisible();
  await page.goto(page.url().replace('#why', '#command'));
  await page.reload();
  await expect(page.getByRole('dialog', { name: 'Send command' }).getByLabel('Name')).toBeFocused();
});
