import type { Page } from '@playwright/test';
import { editDeviceClass, readDeviceClass } from '#contract/deviceClass.ts';
import type { Project } from '#contract/project.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { copied, deaf, expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';
import { aClass, aDevice, classAddress, connected, test } from './devicePage.ts';

/** A schema with so many lines that its properties are folded. */
const schemaWith = (maximum: number) => ({
  type: 'object',
  properties: Object.fromEntries(
    ['celsius', 'humidity', 'co2', 'noise'].map(name => [
      name,
      { type: 'number', minimum: 0, maximum: name === 'humidity' ? maximum : 1000, title: `The ${name}` },
    ]),
  ),
});

const ofClass = ({ id: projectId }: Project) => ({ params: { classId: 'thermostat' }, query: { projectId } });

const edit = ({ client }: Newcomer, project: Project, body: object) =>
  client.call(editDeviceClass, { ...ofClass(project), body });

const comparing = (page: Page) => page.getByRole('dialog', { name: 'Compare revisions' });

test('a class shows who saved it and when, and two of its revisions are compared line by line', async ({
  page,
  developer,
  aProject,
  aMember,
  expectRefused,
}) => {
  const project = await aProject();
  await aClass(developer, project, { stateSchema: schemaWith(100) });
  await page.goto(classAddress(project, '/thermostat/overview'));
  await expect(page.getByText(/^revision 1, saved (now|\d+ s ago) by /)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Compare revisions' })).toHaveCount(0);

  const priya = await aMember(project, 'developer', 'Priya Rao');
  await edit(priya, project, { stateSchema: schemaWith(50) });
  await edit(priya, project, { stateSchema: schemaWith(80), description: 'Wall units' });
  const line = page.getByText(/^revision 3, saved .+ by Priya Rao$/);
  await expect(line.locator('time')).toHaveAttribute('title', /\d{4}, \d\d:\d\d:\d\d/);
  await page.getByRole('link', { name: 'Compare revisions' }).click();
  await expect(page).toHaveURL(/compare=2\.\.3/);
  const dialog = comparing(page);
  const schema = dialog.getByRole('region', { name: 'State schema: changes' });
  await expect(schema.getByText('1 line added, 1 removed')).toBeVisible();
  const inWords = schema.getByRole('list', { name: 'State schema: changes, line by line' });
  await expect(inWords.getByRole('listitem')).toHaveText([
    'Line 13 removed: "maximum": 50,',
    'Line 13 added: "maximum": 80,',
  ]);
  await expect(dialog.getByRole('region', { name: 'Description: changes' })).toContainText('Wall units');
  await expect(dialog.getByText('Changed: description and state schema.')).toBeVisible();
  await expectAccessible(page);

  const far = schema.getByText('"title": "The noise"');
  await expect(far).toHaveCount(0);
  await schema.getByRole('button', { name: 'All lines' }).press('Enter');
  await expect(far).toBeVisible();
  await dialog.getByLabel('Before').selectOption('1');
  await expect(page).toHaveURL(/compare=1\.\.3/);
  await expect(inWords.getByRole('listitem').first()).toHaveText('Line 13 removed: "maximum": 100,');
  await dialog.getByLabel('After').selectOption('1');
  await expect(dialog.getByText('These revisions are identical.')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await dialog.getByLabel('After').selectOption('3');
  await expect(schema).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/compare/);
  await expect(line).toBeVisible();

  expectRefused(
    '404 GET /api/deviceClasses/thermostat/revisions/7',
    '404 GET /api/deviceClasses/thermostat/revisions/9',
  );
  await page.goto(classAddress(project, '/thermostat/overview?compare=7..9'));
  await expect(dialog.getByText('CLASS_REVISION_NOT_FOUND').first()).toBeVisible();
});

test('a class says that its revisions could not be loaded, and asks for them again on request', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  await aClass(developer, project);
  await edit(developer, project, { description: 'Wall units' });
  const revisions = '**/api/deviceClasses/thermostat/revisions?*';
  const json = { reason: 'DISABLED', message: 'Not today.' };
  // An opened live link makes the page read again by itself.
  await deaf(page);
  await page.route(revisions, route => route.fulfill({ status: 403, json }));
  await page.goto(classAddress(project, '/thermostat/overview'));
  const failure = page.getByText('The revisions could not be loaded');
  await expect(failure).toContainText('DISABLED');
  await expect(page.getByText('revision 2')).toBeVisible();
  await expectAccessible(page);
  await page.unroute(revisions);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText(/^revision 2, saved/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Compare revisions' })).toBeVisible();
  await expect(failure).toHaveCount(0);
});

test('an earlier revision is restored as an edit, which first shows how many devices would violate it', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  await aClass(developer, project, { stateSchema: schemaWith(50), description: 'First' });
  const device = await aDevice(developer, project);
  await edit(developer, project, { stateSchema: schemaWith(80), description: 'Second' });
  await using hardware = await connected(developer, device);
  await hardware.say('state', { humidity: 60 });
  await page.goto(classAddress(project, '/thermostat/overview?compare=1..2'));
  await comparing(page).getByRole('button', { name: 'Restore revision 1' }).click();
  const question = page.getByRole('dialog', { name: 'Restore revision 1?' });
  await expect(
    question.getByText('The description and state schema will be as in revision 1.'),
  ).toBeVisible();
  await expect(question.getByText('1 of 1 device that reported a state would violate it:')).toBeVisible();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await comparing(page).getByRole('button', { name: 'Restore revision 1' }).click();
  await question.getByRole('button', { name: 'Restore revision' }).click();
  await expect(page.getByText('Restored as revision 3')).toBeVisible();
  await expect(comparing(page)).toHaveCount(0);
  await expect(page.getByText(/^revision 3, saved/)).toBeVisible();
  const restored = await developer.client.call(readDeviceClass, ofClass(project));
  expect(restored).toMatchObject({ description: 'First', stateSchema: schemaWith(50), revision: 3 });
});

test('restoring does not silently overwrite a change that somebody else saved meanwhile', async ({
  page,
  developer,
  aProject,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/deviceClasses/thermostat');
  const project = await aProject();
  await aClass(developer, project, { description: 'First' });
  await edit(developer, project, { description: 'Second' });
  await deaf(page);
  await page.goto(classAddress(project, '/thermostat/overview?compare=1..2'));
  await comparing(page).getByRole('button', { name: 'Restore revision 1' }).click();
  await edit(developer, project, { description: 'Third' });
  const question = page.getByRole('dialog', { name: 'Restore revision 1?' });
  await question.getByRole('button', { name: 'Restore revision' }).click();
  await expect(question.getByText('STALE', { exact: true })).toBeVisible();
  const kept = await developer.client.call(readDeviceClass, ofClass(project));
  expect(kept).toMatchObject({ description: 'Third', revision: 3 });
});

test('a viewer can compare revisions but not restore them', async ({
  developer,
  aProject,
  aMember,
  open,
}) => {
  const project = await aProject();
  await aClass(developer, project, { description: 'First', stateSchema: schemaWith(50) });
  await edit(developer, project, { description: 'Second', stateSchema: null });
  const page = await open(await aMember(project, 'viewer'));
  await page.goto(classAddress(project, '/thermostat/overview'));
  await page.getByRole('link', { name: 'Compare revisions' }).click();
  await expect(comparing(page).getByRole('region', { name: 'Description: changes' })).toBeVisible();
  await expect(comparing(page).getByText('Changed: description. Removed: state schema.')).toBeVisible();
  await expect(page.getByRole('button', { name: /Restore/ })).toHaveCount(0);
});

test('a long schema is folded by property; a press unfolds one, and copying takes the whole schema', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  await aClass(developer, project, { stateSchema: schemaWith(100) });
  await page.goto(classAddress(project, '/thermostat/overview'));
  const json = page.getByRole('region', { name: 'State schema, code' });
  const lines = json.getByRole('listitem');
  await expect(lines).toHaveCount(9);
  await expect(json.getByText('"humidity": { 4 },')).toBeVisible();
  await expect(lines.nth(5)).toHaveAttribute('data-line', '16');
  await expectAccessible(page);

  const humidity = json.getByRole('button', { name: 'humidity, 4 members' });
  await json.getByRole('button', { name: 'celsius, 4 members' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(humidity).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(humidity).toHaveAttribute('aria-expanded', 'true');
  await expect(json.getByText('"maximum": 100,')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(lines).toHaveCount(9);

  await page.getByRole('row', { name: /^co2/ }).hover();
  await expect(json.locator('[data-marked]')).toHaveText('"co2": { 4 },');
  await page.getByRole('button', { name: 'co2', exact: true }).press('Enter');
  await expect(page).toHaveURL(/property=/);
  await expect(json.locator('[data-marked]')).toHaveCount(6);
  await expect(page.getByRole('button', { name: 'co2', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.reload();
  await expect(json.getByText('"title": "The co2"')).toBeVisible();
  const text = await copied(page, () => page.getByRole('button', { name: 'Copy schema' }).click());
  expect(JSON.parse(text)).toEqual(schemaWith(100));
});
