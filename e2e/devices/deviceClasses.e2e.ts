import { readDeviceClass, writeKvPair } from '#contract/deviceClass.ts';
import { expect, expectAccessible } from '../world.ts';
import { aClass, aDevice, classAddress, connected, rewrite, test } from './devicePage.ts';

test('a class is added, described, given a schema and deleted', async ({ page, aProject, expectRefused }) => {
  expectRefused(
    '422 PATCH /api/deviceClasses/thermostat',
    '422 POST /api/deviceClasses/thermostat/schemaPreview',
    // The schema was saved a moment before: the message on the page may be checked against it while the class goes.
    '404 POST /api/deviceClasses/thermostat/messageCheck',
  );
  const project = await aProject();
  await page.goto(classAddress(project));
  await expect(page.getByText('Start with a device class')).toBeVisible();
  await expectAccessible(page);

  await page.keyboard.press('c');
  await expect(page).toHaveURL(/#new$/);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Id').fill('no spaces');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('INVALID_FORMAT')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Id').fill('thermostat');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/device_classes\/thermostat\/instances$/);
  await expect(page.getByText('No thermostat yet')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Class', exact: true }).click();
  await page.getByRole('button', { name: 'Edit info' }).click();
  await page.getByLabel('Description').fill('Thermostats of the first series');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Device class saved')).toBeVisible();

  await page.getByRole('button', { name: 'Edit firmware updates' }).click();
  await page.getByLabel('Return within, in minutes').fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('OUT_OF_RANGE')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Return within, in minutes').fill('240');
  await page.getByLabel('Download', { exact: true }).selectOption('What changed, where possible');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Firmware updates saved')).toBeVisible();
  const updates = page.getByRole('region', { name: 'Firmware updates' });
  await expect(updates).toContainText('Return within4 h');
  await expect(updates).toContainText('DownloadWhat changed, where possible');

  await page.getByRole('button', { name: 'Add state schema' }).click();
  const editor = page.getByRole('textbox', { name: 'State schema' });
  await rewrite(editor, '{"type": "object", "properties": {"a": {"type": "nonsense"}}}');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('INVALID_SCHEMA')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Line \d+: / })).toBeVisible();
  await expectAccessible(page);
  await rewrite(editor, '{"type": "object"}');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('State schema saved')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit state schema' })).toBeFocused();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete device class' }).click();
  await expect(page.getByText('Do you really want to delete device class')).toBeVisible();
  await page.getByRole('button', { name: 'Delete device class' }).click();
  await expect(page.getByText('Start with a device class')).toBeVisible();
});

test('an id that is taken is reported once, at its field', async ({ page, project, expectRefused }) => {
  expectRefused('409 POST /api/projects/*/deviceClasses');
  await page.goto(classAddress(project, '#new'));
  const id = page.getByRole('dialog').getByLabel('Id');
  await id.fill('thermostat');
  await page.keyboard.press('Enter');
  await expect(id).toHaveAttribute('aria-invalid', 'true');
  await expect(id).toBeFocused();
  await expect(page.getByText('This id is taken. Choose another.')).toHaveCount(1);
});

test('a class with devices cannot be deleted, and says why', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('404 GET /api/deviceClasses/gone');
  await aDevice(developer, project);
  await page.goto(classAddress(project, '/thermostat/overview'));
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete device class' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('cannot be deleted because it is currently in use.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Delete device class' })).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole('link', { name: '1 device' }).click();
  await expect(page).toHaveURL(/thermostat\/instances$/);
  await page.goto(classAddress(project, '/gone/overview'));
  await expect(page.getByText('Device class gone does not exist.')).toBeVisible();
});

test('a schema is generated from reports of devices, read as a table, and tried', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  await aClass(developer, project);
  const device = await aDevice(developer, project);
  await using hardware = await connected(developer, device);
  await hardware.say('state', { celsius: 21.5, mode: 'heat' });
  await page.goto(classAddress(project, '/thermostat/overview'));
  await expect(page.getByRole('row', { name: /^celsius number 100 %/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create a schema from it' }).click();
  const editor = page.getByRole('textbox', { name: 'State schema' });
  await expect(editor).toContainText('celsius');
  await rewrite(editor, '{"properties": {"celsius": {"maximum": 20}}}');
  await expect(page.getByText('1 of 1 device that reported a state would violate it:')).toBeVisible();
  await expect(page.getByText(/: celsius must be at most 20/)).toBeVisible();
  const celsius = { type: 'number', unit: '°C', title: 'Temperature', maximum: 30 };
  await rewrite(editor, JSON.stringify({ type: 'object', required: ['celsius'], properties: { celsius } }));
  await expect(page.getByText('Fits 1 device that reported a state.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row', { name: 'celsius Temperature · required number up to 30 °C 100 %' });
  await expect(row).toBeVisible();
  await row.hover();
  await expect(page.getByRole('region', { name: 'State schema, code' }).locator('[data-marked]')).toHaveCount(
    6,
  );
  await expect(page.getByText('Also reported, but not in the schema: mode by 100 %')).toBeVisible();
  await page.getByRole('button', { name: 'Add it to the schema' }).click();
  await expect(editor).toContainText('mode');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Also reported')).toHaveCount(0);
  const payload = page.getByRole('textbox', { name: 'Payload' });
  await payload.fill('{"celsius": 31, "mode": "heat"}');
  await expect(page.getByText('celsius must be at most 30')).toBeVisible();
  await payload.fill('{"celsius": 21, "mode": "heat"}');
  await expect(page.getByText('Fits the schema')).toBeVisible();
  await expectAccessible(page);
});

test('a message that violates a schema is shown with the exact error', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  const stateSchema = { type: 'object', properties: { temperature: { type: 'number' } } };
  await aClass(developer, project, { stateSchema });
  const device = await aDevice(developer, project);
  await using hardware = await connected(developer, device);
  await hardware.say('state', { temperature: 'hot' });
  await page.goto(classAddress(project, '/thermostat/overview'));
  await expect(page.getByText('temperature must be a number, 1 device')).toBeVisible();
  await page.getByRole('button', { name: 'Show messages' }).click();
  const messages = page.getByRole('region', { name: 'Quarantined messages' });
  await messages.getByText('must be a number').click();
  await expect(page.getByText('/temperature')).toBeVisible();
  await expect(page.getByText('"hot"')).toBeVisible();
  await expect(page.getByRole('link', { name: device.id })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear quarantine' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear quarantine' }).click();
  await expect(page.getByText('Quarantine cleared')).toBeVisible();
  await expect(page.getByText('Every message matches its schema.')).toBeVisible();
  await expect(messages).toHaveCount(0);
});

test('every message that violated a schema can be opened', async ({ page, developer, project }) => {
  const stateSchema = { type: 'object', properties: { n: { type: 'boolean' } } };
  await aClass(developer, project, { id: 'sensor', stateSchema });
  const device = await aDevice(developer, project, { deviceClass: 'sensor' });
  await using hardware = await connected(developer, device);
  for (let n = 1; n <= 23; n++) await hardware.say('state', { n });
  await page.goto(classAddress(project, '/sensor/overview?quarantine=all'));
  const quarantine = page.getByRole('region', { name: 'Quarantined messages' });
  await expect(quarantine.getByText('1–10 of 23')).toBeVisible();
  await quarantine.getByRole('button', { name: 'Next' }).click();
  await quarantine.getByRole('button', { name: 'Next' }).click();
  await expect(quarantine.getByText('21–23 of 23')).toBeVisible();
  await quarantine
    .getByText(/must be true or false/)
    .last()
    .click();
  await expect(quarantine.getByText('"n": 1')).toBeVisible();
  await expectAccessible(page);
});

test('key-value pairs are added, overwritten only after confirmation, and deleted', async ({
  page,
  project,
  expectRefused,
}) => {
  expectRefused('409 PUT /api/deviceClasses/thermostat/kv/report-every-s');
  await page.goto(classAddress(project, '/thermostat/advanced'));
  await expect(page.getByText('Config for every device of the class')).toBeVisible();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog').first();
  const key = dialog.getByLabel('Key', { exact: true });
  const value = dialog.getByRole('textbox', { name: 'Value' });
  const add = dialog.getByRole('button', { name: 'Create pair' });

  await key.fill('a key');
  await add.click();
  await expect(dialog.getByText('INVALID_JSON')).toBeVisible();
  await rewrite(value, 'null');
  await add.click();
  await expect(dialog.getByText('INVALID_KEY')).toBeVisible();
  await expect(dialog.getByText('NULL_VALUE')).toBeVisible();
  await rewrite(value, '{"a":');
  await key.fill('report-every-s');
  await add.click();
  await expect(dialog.getByText('INVALID_JSON')).toBeVisible();
  await expectAccessible(page);
  await rewrite(value, '60');
  await add.click();
  await expect(page.getByText('Key-value pair saved')).toBeVisible();
  await expect(page.getByRole('row', { name: /report-every-s 60/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Create pair' }).click();
  await key.fill('report-every-s');
  await rewrite(value, '90');
  await add.click();
  await expect(page.getByText('A key-value pair with the same key already exists. Overwrite?')).toBeVisible();
  await page.getByRole('button', { name: 'Overwrite pair' }).click();
  await expect(page.getByRole('row', { name: /report-every-s 90/ })).toBeVisible();

  await page.getByRole('button', { name: 'Actions for report-every-s' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText('Do you really want to delete key-value pair')).toBeVisible();
  await page.getByRole('button', { name: 'Delete key-value pair' }).click();
  await expect(page.getByText('Config for every device of the class')).toBeVisible();
});

test('two users who edit the same pair overwrite nothing unseen', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('409 PUT /api/deviceClasses/thermostat/kv/limit');
  const write = (value: number) =>
    developer.client.call(writeKvPair, {
      params: { classId: 'thermostat', pairKey: 'limit' },
      query: { projectId: project.id },
      body: { value },
    });
  await write(1);
  await page.goto(classAddress(project, '/thermostat/advanced'));
  await page.getByRole('button', { name: 'limit', exact: true }).click();
  await expect(page).toHaveURL(/pair=limit/);
  await rewrite(page.getByRole('textbox', { name: 'Value' }), '3');
  await write(2);
  await page.getByRole('button', { name: 'Save pair' }).click();
  await expect(page.getByText('This page may contain stale information. Please reload.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Overwrite with yours' }).click();
  await expect(page.getByRole('row', { name: /limit 3/ })).toBeVisible();
});

test('a viewer sees classes but cannot change them', async ({ aMember, open, project }) => {
  const page = await open(await aMember(project, 'viewer'));
  await page.goto(classAddress(project));
  await expect(page.getByRole('link', { name: /thermostat/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create device class' })).toHaveCount(0);
  await page.goto(classAddress(project, '/thermostat/overview'));
  await expect(page.getByRole('region', { name: 'State schema' })).toBeVisible();
  await expect(page.getByText('Try a message')).toBeVisible();
  await expect(page.getByRole('button', { name: /Edit|Add|More actions/ })).toHaveCount(0);
  await page.goto(classAddress(project, '/thermostat/instances'));
  await expect(page.getByText('No thermostat yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add device' })).toHaveCount(0);
});

test('a change that somebody else makes appears by itself', async ({ page, developer, project }) => {
  await page.goto(classAddress(project));
  const row = page.getByRole('row', { name: /thermostat/ });
  await expect(row.getByText('No devices')).toBeVisible();
  const device = await aDevice(developer, project);
  await expect(row.getByText('0 of 1')).toBeVisible();
  await using _ = await connected(developer, device);
  await expect(row.getByText('1 of 1')).toBeVisible();
  const query = { projectId: project.id };
  const kept = await developer.client.call(readDeviceClass, { params: { classId: 'thermostat' }, query });
  expect(kept.connectedCount).toBe(1);
});
