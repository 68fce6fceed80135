import type { Page } from '@playwright/test';
import { editDeveloper, readDeveloper } from '#contract/account.ts';
import type { Project } from '#contract/project.ts';
import { address, change, readNow } from './settingsPage.ts';
import { anEmail, deaf, expect, expectAccessible, test } from './world.ts';

const sentence = 'This page may contain stale information. Please reload.';
const notice = (page: Page) => page.getByRole('alert', { name: 'Changed by someone else' });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

async function editing(page: Page, project: Project, name: string): Promise<void> {
  await page.goto(address(project));
  await page.getByRole('button', { name: 'Edit overview' }).click();
  await page.getByLabel('Name').fill(name);
}

test('of two who edit the same setting in two browsers the second is told and shown both', async ({
  page,
  developer,
  open,
  aMember,
  project,
}) => {
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

test('theirs is taken without losing what was typed elsewhere', async ({ page, developer, project }) => {
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

test('saving mine a second time over a still newer change asks again', async ({
  page,
  developer,
  project,
}) => {
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

test('what others change in another section is no conflict, and is kept', async ({
  page,
  developer,
  project,
}) => {
  await deaf(page);
  await editing(page, project, 'Mine');
  await change(developer, project, { userAuthMessage: 'Theirs' });
  await save(page);
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
  expect(await readNow(developer, project)).toMatchObject({ name: 'Mine', userAuthMessage: 'Theirs' });
});

test('a change that arrives while one types is shown at once, and nothing typed is lost', async ({
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

test('a form in which nothing is typed follows what others change', async ({ page, developer, project }) => {
  await page.goto(address(project));
  await page.getByRole('button', { name: 'Edit overview' }).click();
  await change(developer, project, { name: 'Theirs' });
  await expect(page.getByLabel('Name')).toHaveValue('Theirs');
  await expect(notice(page)).toHaveCount(0);
});

test('two windows on one profile: the second is told and shown both', async ({ page, developer }) => {
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

test('a save that nothing answers keeps the form as it was typed, and a screen comes once something does', async ({
  context,
  project,
}) => {
  // Not watched: the browser logs each call that gets no answer.
  const page = await context.newPage();
  const [script, style] = ['js', 'css'].map(kind =>
    page.waitForResponse(new RegExp(`Inspector.*\\.${kind}$`)),
  );
  await editing(page, project, 'Typed in a tunnel');
  // With all that it imports.
  await page.evaluate(address => import(address), (await script)?.url() ?? '');
  await (await style)?.finished();
  await context.setOffline(true);
  await save(page);
  await expect(page.getByText('CONNECTION_ERROR')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Typed in a tunnel');
  // What lies over a screen opens without a server: it was fetched with the console.
  await page.getByRole('button', { name: 'API', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'API calls' })).toBeVisible();
  await page.keyboard.press('Escape');
  await context.setOffline(false);
  await save(page);
  await expect(page.getByText('Settings saved')).toBeVisible();
  // Its code was never loaded: the page waits for the server, and is not given up for the browser's own error page.
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await expect(page.getByText('It opens when Mooring answers again.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeVisible();
});
