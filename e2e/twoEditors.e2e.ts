import type { Page } from '@playwright/test';
import { editDeveloper, readDeveloper } from '#contract/account.ts';
import type { Project } from '#contract/project.ts';
import { address, change, readNow } from './projects/settingsPage.ts';
import { anEmail, deaf, expect, expectAccessible, test } from './world.ts';

const sentence = 'This page may contain stale information. Please reload.';
const notice = (page: Page) => page.getByRole('alert', { name: 'Changed by someone else' });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

async function editing(page: Page, project: Project, name: string): Promise<void> {
  await page.goto(address(project));
  await page.getByRole('button', { name: 'Edit overview' }).click();
  await page.getByLabel('Name').fill(name);
}

test('the second of two users who edit the same setting is told and shown both values', async ({
  page,
  developer,
  open,
  aMember,
  project,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/projects/*');
  const grace = await open(await aMember(project, 'developer'));
  await deaf(page);
  await editing(page, project, 'Mine');
  await editing(grace, project, 'Theirs');
  await save(grace);
  await expect(grace.getByText('Settings saved')).toBeVisible();
  await save(page);
  await expect(notice(page)).toContainText(sentence);
  await expect(notice(page)).toBeFocused();
  await expect(notice(page)).toContainText('Theirs');
  await expect(notice(page)).toContainText('Mine');
  await expect(page.getByLabel('Name')).toHaveValue('Mine');
  await expectAccessible(page);
  expect((await readNow(developer, project)).name).toBe('Theirs');
  await save(page);
  expect((await readNow(developer, project)).name).toBe('Theirs');
  await page.getByRole('button', { name: 'Overwrite with yours' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  expect((await readNow(developer, project)).name).toBe('Mine');
});

test('the other’s value is accepted without losing input in other fields', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/projects/*');
  await deaf(page);
  await editing(page, project, 'Mine');
  await page.getByLabel('Description').fill('Typed by me');
  await change(developer, project, { name: 'Theirs' });
  await save(page);
  await page.getByRole('button', { name: 'Keep theirs' }).click();
  await expect(notice(page)).toHaveCount(0);
  await expect(page.getByLabel('Name')).toHaveValue('Theirs');
  await expect(page.getByLabel('Description')).toHaveValue('Typed by me');
  await save(page);
  await expect(page.getByText('Settings saved')).toBeVisible();
  expect(await readNow(developer, project)).toMatchObject({ name: 'Theirs', description: 'Typed by me' });
});

test('overwriting asks again if there is a still newer change', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/projects/*');
  await deaf(page);
  await editing(page, project, 'Mine');
  await change(developer, project, { name: 'Theirs' });
  await save(page);
  await expect(notice(page)).toContainText('Theirs');
  await change(developer, project, { name: 'Newer still' });
  await page.getByRole('button', { name: 'Overwrite with yours' }).click();
  await expect(notice(page)).toContainText('Newer still');
  expect((await readNow(developer, project)).name).toBe('Newer still');
});

test('a change in another section is not a conflict, and is kept', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/projects/*');
  await deaf(page);
  await editing(page, project, 'Mine');
  await change(developer, project, { userAuthMessage: 'Theirs' });
  await save(page);
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
  expect(await readNow(developer, project)).toMatchObject({ name: 'Mine', userAuthMessage: 'Theirs' });
});

test('a change that arrives while typing is shown at once, and no input is lost', async ({
  page,
  developer,
  project,
}) => {
  await editing(page, project, 'Half typ');
  await change(developer, project, { name: 'Theirs' });
  await expect(notice(page)).toContainText('Theirs');
  await expect(page.getByLabel('Name')).toHaveValue('Half typ');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('ed');
  await expect(notice(page)).toContainText('Half typed');
});

test('a form without input follows the changes of others', async ({ page, developer, project }) => {
  await page.goto(address(project));
  await page.getByRole('button', { name: 'Edit overview' }).click();
  await change(developer, project, { name: 'Theirs' });
  await expect(page.getByLabel('Name')).toHaveValue('Theirs');
  await expect(notice(page)).toHaveCount(0);
});

test('the second of two windows that edit a profile is told and shown both values', async ({
  page,
  developer,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/developers/*');
  const params = { developerId: developer.developer.id };
  await page.goto('/account');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('Name').fill('Mine');
  await developer.client.call(editDeveloper, { params, body: { name: 'Theirs' } });
  await save(page);
  await expect(notice(page)).toContainText(sentence);
  await expect(notice(page)).toContainText('Theirs');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Overwrite with yours' }).click();
  await expect(page.getByText('Profile saved')).toBeVisible();
  expect((await developer.client.call(readDeveloper, { params })).name).toBe('Mine');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByRole('textbox', { name: 'E-mail' }).fill(anEmail('moved'));
  await save(page);
  await expect(page.getByText('A verification email has been sent to your new email address.')).toBeVisible();
});

test('a save without an answer keeps the input, and a screen loads once the server answers', async ({
  context,
  project,
}) => {
  // Not watched, because the browser logs each call without an answer.
  const page = await context.newPage();
  const [script, style] = ['js', 'css'].map(kind =>
    page.waitForResponse(new RegExp(`Inspector.*\\.${kind}$`)),
  );
  await editing(page, project, 'Typed in a tunnel');
  // Loads it with everything it imports.
  await page.evaluate(address => import(address), (await script)?.url() ?? '');
  await (await style)?.finished();
  await context.setOffline(true);
  await save(page);
  await expect(page.getByText('CONNECTION_ERROR')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Typed in a tunnel');
  // An overlay opens without a server, because its code was loaded with the console.
  await page.getByRole('button', { name: 'API', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'API calls' })).toBeVisible();
  await page.keyboard.press('Escape');
  await context.setOffline(false);
  await save(page);
  await expect(page.getByText('Settings saved')).toBeVisible();
  // The code of this screen was never loaded: the page waits for the server instead of showing the browser's own error
  // page.
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await expect(page.getByText('It opens when Mooring answers again.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeVisible();
});
