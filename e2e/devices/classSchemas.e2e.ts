import { readDeviceClass } from '#contract/deviceClass.ts';
import { expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';
import { aClass, rewrite, test } from './devicePage.ts';

test('a schema is built by keyboard as a table beside its JSON, each showing what the other says', async ({
  page,
  developer,
  project,
}) => {
  test.slow();
  const stateSchema = {
    type: 'object',
    additionalProperties: false,
    properties: { alarms: { type: 'array', items: { type: 'string' } } },
  };
  await aClass(developer, project, { id: 'valve', stateSchema });
  await page.goto(`/projects/${project.id}/device_classes/valve/overview`);
  await page.getByRole('button', { name: 'Edit state schema' }).press('Enter');
  const table = page.getByRole('group', { name: 'State schema, property by property' });
  await expect(table.getByText('Edited as JSON: it is a list.')).toBeVisible();
  const json = page.getByRole('textbox', { name: 'State schema' });

  await page.getByRole('button', { name: 'Add property' }).press('Enter');
  await expect(page.getByLabel('Name of property')).toBeFocused();
  await page.keyboard.type('temperature');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Room temperature');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Type of temperature')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('-40');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12,5');
  await page.keyboard.press('Tab');
  await page.keyboard.type('°C');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(json).toContainText('"maximum": 12.5');
  await expectAccessible(page);
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  // An error in the JSON keeps the table in sight; what is changed there is in the table at once.
  await rewrite(json, '{"type": "object", ');
  await expect(page.getByText('The JSON has an error. Correct it there to go on here.')).toBeVisible();
  await expect(page.getByLabel('Unit of temperature')).toBeDisabled();
  const temperature = { type: 'number', unit: '°C', minimum: -40, maximum: 30, title: 'Room temperature' };
  const properties = { ...stateSchema.properties, temperature, mode: { enum: ['off', 'heat'] } };
  await rewrite(json, JSON.stringify({ ...stateSchema, required: ['temperature'], properties }));
  await expect(page.getByLabel('Maximum of temperature')).toHaveValue('30');
  await page.getByLabel('Values of mode').fill('off, heat, cool');
  await page.getByRole('button', { name: 'Remove alarms' }).press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('State schema saved')).toBeVisible();
  const saved = await developer.client.call(readDeviceClass, {
    params: { classId: 'valve' },
    query: { projectId: project.id },
  });
  expect(saved.stateSchema).toEqual({
    type: 'object',
    additionalProperties: false,
    required: ['temperature'],
    properties: { temperature, mode: { enum: ['off', 'heat', 'cool'] } },
  });

  await page.getByRole('button', { name: /^Commands/ }).click();
  await page.getByRole('button', { name: 'Add command schemas' }).press('Enter');
  await page.getByLabel('Name of the new command').fill('open');
  await page.keyboard.press('Enter');
  await page
    .getByRole('region', { name: 'open' })
    .getByRole('button', { name: 'Add property' })
    .press('Enter');
  await page.keyboard.type('seconds');
  await expect(page.getByRole('textbox', { name: 'Command schemas' })).toContainText('"seconds"');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Command schemas saved')).toBeVisible();
});

test('what the table cannot say stays as it is in the JSON, and a name of digits is typed in one row', async ({
  page,
  developer,
  project,
}) => {
  const texts = { a: { type: 'string' }, b: { type: 'string' } };
  const modes = { enum: ['on, at once', 'off'] };
  const limit = { type: 'number', minimum: 1e-7 };
  const stateSchema = { type: 'object', properties: { ...texts, modes, limit, last: { type: 'string' } } };
  await aClass(developer, project, { id: 'valve', stateSchema });
  await page.goto(`/projects/${project.id}/device_classes/valve/overview`);
  await page.getByRole('button', { name: 'Edit state schema' }).click();

  // Whole numbers are the first names of every object: the row moves while its name is typed.
  await page.getByLabel('Name of last').selectText();
  await page.keyboard.type('2nd');
  await expect(page.getByLabel('Name of 2nd')).toBeFocused();
  await expect(page.getByText('Edited as JSON: commas cannot separate its values.')).toBeVisible();
  await expect(page.getByLabel('Minimum of limit')).not.toHaveAttribute('aria-invalid');

  // Another schema is another form: it is asked before this one is left.
  await page.getByRole('button', { name: /^Events/ }).click();
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
  await asked.getByRole('button', { name: 'Keep editing' }).click();
  await expect(asked).toHaveCount(0);
  await expect(page.getByLabel('Name of 2nd')).toHaveValue('2nd');

  // A bound that is no number is not saved, and does not look as if it were.
  await page.getByLabel('Maximum of limit').fill('much');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Maximum of limit')).toHaveValue('');
  await page.getByLabel('Maximum of limit').fill('1e3');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('State schema saved')).toBeVisible();
  const saved = await developer.client.call(readDeviceClass, {
    params: { classId: 'valve' },
    query: { projectId: project.id },
  });
  expect(saved.stateSchema).toEqual({
    type: 'object',
    properties: { ...texts, modes, limit: { ...limit, maximum: 1000 }, '2nd': { type: 'string' } },
  });

  await page.getByRole('button', { name: 'Edit state schema' }).click();
  await page.getByLabel('Title of a').fill('First');
  await page.getByRole('button', { name: /^Events/ }).click();
  await asked.getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Add event schemas' })).toBeVisible();
  await page.getByRole('button', { name: /^State/ }).click();
  await expect(page.getByRole('button', { name: 'Edit state schema' })).toBeVisible();
});
