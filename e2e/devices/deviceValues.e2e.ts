import type { Page } from '@playwright/test';
import type { CommandFrame } from '#contract/deviceProtocol.ts';
import { expect, expectAccessible } from '../world.ts';
import { aClass, aDevice, connected, deviceAddress, test } from './devicePage.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a desired value is set in its row, within the range of the schema', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  const celsius = { type: 'number', unit: '°C', minimum: 5, maximum: 30 };
  const properties = { target: celsius, mode: { enum: ['off', 'heat'] }, celsius: { readOnly: true } };
  await aClass(developer, project, { stateSchema: { type: 'object', properties } });
  const device = await aDevice(developer, project);
  await using hardware = await connected(developer, device);
  await hardware.listen('#');
  await hardware.say('state', { target: 21, mode: 'off', celsius: 20 });
  await page.goto(deviceAddress(device));
  const state = panel(page, 'State');
  await expect(state.getByRole('row', { name: /^target 21 °C/ })).toBeVisible();
  await expect(state.getByRole('button', { name: 'Set desired celsius' })).toHaveCount(0);
  await state.getByRole('button', { name: 'Set desired target' }).click();
  const cell = state.getByRole('textbox', { name: 'Desired target' });
  await expect(cell).toBeFocused();
  await expect(state.getByText('5 to 30')).toBeVisible();
  await cell.fill('31');
  await page.keyboard.press('Enter');
  await expect(state.getByText('target must be at most 30')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(cell).toHaveCount(0);
  await state.getByRole('button', { name: 'Set desired target' }).click();
  await cell.fill('22.5');
  await page.keyboard.press('Enter');
  await expect(state.getByText('waiting for the device')).toBeVisible();
  await state.getByRole('button', { name: 'Set desired mode' }).click();
  await state.getByRole('combobox', { name: 'Desired mode' }).selectOption('heat');
  await state.getByRole('button', { name: 'Set', exact: true }).click();
  await expect(state.getByText('waiting for the device')).toHaveCount(2);
  await hardware.say('state', { target: 22.5, mode: 'heat' });
  await expect(state.getByText('waiting for the device')).toHaveCount(0);

  // Each change is shown on its way to the device and back.
  const activity = panel(page, 'Activity');
  await activity.getByRole('button', { name: 'Desired' }).click();
  const line = activity.getByRole('listitem').filter({ hasText: 'target = 22.5' });
  // The duration is shown up to ten seconds; a busy machine may take longer.
  await expect(line).toContainText(/stored.*sent.*acknowledged.*reported( \d+ ms)?/);
  await line.getByText('target = 22.5').click();
  await expect(line.getByRole('term')).toHaveText([
    'Change',
    'By',
    'Call arrived',
    'Stored',
    'Sent',
    'Acknowledged',
    'Reported',
    'Request',
    'Version',
  ]);
  await expectAccessible(page);
});

test('a long value takes four lines at most, and its end is reached with the keyboard', async ({
  page,
  developer,
  device,
}) => {
  await using hardware = await connected(developer, device);
  await hardware.say('state', { note: 'word '.repeat(60), mode: 'heat' });
  await page.goto(deviceAddress(device));
  const state = panel(page, 'State');
  const value = state.getByRole('region', { name: 'note, reported' });
  expect((await value.boundingBox())?.height).toBeLessThan(80);
  await value.focus();
  await page.keyboard.press('End');
  await expect
    .poll(() => value.evaluate(it => it.scrollTop + it.clientHeight >= it.scrollHeight - 1))
    .toBe(true);
  await expect(state.getByRole('region')).toHaveCount(1);
  await expectAccessible(page);
});

test('a command is sent with fields generated from its schema, and is shown on its way to the device and back', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  const properties = {
    celsius: { type: 'number', unit: '°C', minimum: 5, maximum: 30 },
    quiet: { type: 'boolean' },
  };
  const heat = { type: 'object', required: ['celsius'], properties, additionalProperties: false };
  await aClass(developer, project, { commandSchemas: { heat } });
  const device = await aDevice(developer, project);
  await using hardware = await connected(developer, device);
  await hardware.listen('#');
  await page.goto(deviceAddress(device, '#command'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('heat');
  const celsius = dialog.getByLabel('celsius');
  await expect(celsius).toHaveValue('');
  await celsius.fill('31');
  await dialog.getByRole('button', { name: 'Send command' }).click();
  await expect(dialog.getByText('celsius must be at most 30')).toBeVisible();
  await expectAccessible(page);
  await celsius.fill('22.5');
  await dialog.getByLabel('quiet').selectOption('false');
  await dialog.getByRole('button', { name: 'JSON' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Arguments' })).toContainText('22.5');
  await dialog.getByRole('button', { name: 'Send command' }).click();
  const told = await hardware.next('commands/heat');
  const { id, args } = told.payload as CommandFrame;
  expect(args).toEqual({ celsius: 22.5, quiet: false });
  await hardware.say(`results/${id}`, { ok: true, result: { celsius: 22.5 } });

  // The command is shown on its way to the device and back, with the time of each hop.
  const activity = panel(page, 'Activity');
  const line = activity.getByRole('listitem').filter({ hasText: 'heat' });
  await expect(line).toContainText(/queued.*sent.*acknowledged.*done/);
  await line.getByText('heat', { exact: true }).click();
  await expect(line.getByRole('term')).toHaveText([
    'Arguments',
    'Result',
    'By',
    'Call arrived',
    'Queued',
    'Sent',
    'Acknowledged',
    'Finished',
    'Request',
    'Expires',
    'Command',
  ]);
  for (const hop of ['Queued', 'Sent', 'Acknowledged', 'Finished'])
    await expect(
      line.getByRole('definition').nth((await line.getByRole('term').allInnerTexts()).indexOf(hop)),
    ).toHaveText(/^\d+ .+ later$/);
  await expectAccessible(page);
});

test('Enter in the name of a command leads to its arguments, and no value is sent that nobody chose', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  const properties = {
    celsius: { type: 'number', minimum: 5, maximum: 30 },
    mode: { enum: ['eco', 'boost'], default: 'eco' },
  };
  await aClass(developer, project, {
    commandSchemas: { heat: { type: 'object', required: ['celsius'], properties } },
  });
  const device = await aDevice(developer, project);
  const sent: unknown[] = [];
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/commands')) sent.push(request.postDataJSON());
  });
  await page.goto(deviceAddress(device, '#command'));
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Defined by the class: heat.').waitFor();
  await page.keyboard.type('heat');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('celsius')).toBeFocused();
  // What the class states is filled in, as it is sent.
  await expect(dialog.getByLabel('mode')).toHaveValue('"eco"');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('celsius is required')).toBeVisible();
  await page.keyboard.type('21');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Command sent')).toBeVisible();
  expect(sent).toMatchObject([{ name: 'heat', args: { celsius: 21, mode: 'eco' } }]);

  // A command of which the class says nothing: its arguments are JSON.
  await page.goto(deviceAddress(device, '#command'));
  await dialog.getByText('Defined by the class: heat.').waitFor();
  await page.keyboard.type('reboot');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Arguments' })).toBeFocused();
  await page.keyboard.type('{"soft": true}');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Command sent')).toBeVisible();
  expect(sent.slice(1)).toMatchObject([{ name: 'reboot', args: { soft: true } }]);
});
