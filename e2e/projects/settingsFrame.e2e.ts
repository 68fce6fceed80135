import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../world.ts';
import { address, change, saved, section } from './settingsPage.ts';

async function jump(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type(typed);
  await page.keyboard.press('Enter');
}

test('user auth is shown only if the platform keeps the accounts, even if that changes meanwhile', async ({
  page,
  developer,
  project,
}) => {
  const tab = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'User auth' });
  await page.goto(address(project, '/user_auth'));
  await expect(tab).toBeVisible();
  await change(developer, project, { userAccountMode: 'external' });
  await expect(page).toHaveURL(address(project));
  await expect(tab).toHaveCount(0);
  await page.goto(address(project, '/user_auth'));
  await expect(page).toHaveURL(address(project));
});

test('the palette opens every screen of a project, also those behind tabs', async ({ page, project }) => {
  await page.goto(address(project));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const [typed, path] of [
    ['components', 'components'],
    ['classes', 'device_classes'],
    ['proxy routes', 'proxy_routes'],
    ['homes', 'homes'],
  ] as const) {
    await jump(page, typed);
    await expect(page).toHaveURL(new RegExp(`${project.id}/${path}$`));
  }
});

test('a viewer sees everything but changes nothing, and owner-only settings are marked', async ({
  open,
  aMember,
  project,
}) => {
  const viewer = await open(await aMember(project, 'viewer'));
  for (const part of ['', '/user_auth', '/advanced']) {
    await viewer.goto(address(project, part));
    await expect(viewer.getByText('You are a viewer in this project')).toHaveCount(1);
    await expect(viewer.getByRole('button', { name: /^Edit|^Stop|^Enable|^Delete/ })).toHaveCount(0);
    await expectAccessible(viewer);
  }
  await viewer.keyboard.press('e');
  await expect(viewer.getByRole('button', { name: 'Save' })).toHaveCount(0);
  const member = await open(await aMember(project, 'developer'));
  await member.goto(address(project, '/advanced'));
  await expect(member.getByRole('button', { name: 'Edit options' })).toBeVisible();
  await expect(member.getByText('Only an owner of the project can change this.')).toHaveCount(2);
  await expect(member.getByRole('button', { name: 'Stop storing device keys' })).toHaveCount(0);
});

test('a project is deleted by typing its name, and the progress is shown', async ({
  page,
  open,
  aProject,
  aMember,
  expectRefused,
}) => {
  // By the window of the other member, which learns in this way that the project is gone.
  expectRefused(/^404 GET \/api\/projects\/\w+(\/\w+)?$/);
  const project = await aProject('Doomed  by  spaces');
  const other = await open(await aMember(project, 'developer'));
  await other.goto(address(project));
  await expect(section(other, 'Overview')).toBeVisible();
  await page.goto(address(project));
  await page.getByRole('button', { name: 'Delete project' }).click();
  const dialog = page.getByRole('dialog');
  const verb = dialog.getByRole('button', { name: 'Delete project' });
  await expect(dialog).toContainText('Do you really want to delete');
  await expectAccessible(page);
  await dialog.getByLabel(/^Type/).fill('Doomed');
  await expect(verb).toBeDisabled();
  await dialog.getByLabel(/^Type/).fill('Doomed by spaces');
  await verb.click();
  await expect(page).toHaveURL(/\/projects\?deletion=del_/);
  await expect(page.getByText('has been deleted completely')).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: /Doomed/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page).toHaveURL(/\/projects$/);
  await expect(other).toHaveURL(/\/not_found$/);
});

test('a setting is reached, edited and saved by keyboard alone, and the focus returns', async ({
  page,
  project,
}) => {
  await page.goto(`/projects/${project.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Nordlys Home' })).toBeVisible();
  // Without a pause, because the second key counts only within a second of the first.
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('s')]);
  await expect(page).toHaveURL(address(project));
  await expect(page.getByRole('button', { name: 'Edit overview' })).toBeVisible();
  await jump(page, 'edit overview');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await saved(page);
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('By keyboard');
  await expect(page.getByRole('button', { name: 'Edit overview' })).toBeFocused();
  await jump(page, 'advanced');
  await expect(page).toHaveURL(address(project, '/advanced'));
  await expect(page.getByRole('button', { name: 'Stop storing device keys' })).toBeVisible();
  await jump(page, 'stop storing');
  await expect(page.getByRole('dialog')).toContainText('irreversible');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog').getByText('PATCH').first()).toBeVisible();
});

test('a form with unsaved input asks before it is left', async ({ page, project }) => {
  await page.goto(address(project));
  await page.getByRole('button', { name: 'Edit overview' }).click();
  await page.getByLabel('Name').fill('Half typed');
  await page.getByRole('link', { name: 'Advanced' }).click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Half typed');
});

test.describe('at 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } });
  test('nothing is cut off sideways', async ({ page, developer, aProject }) => {
    const project = await aProject('Ñ'.repeat(200));
    await change(developer, project, {
      description: 'שלום עולם '.repeat(40),
      userAuthMessage: 'x'.repeat(500),
    });
    for (const part of ['', '/user_auth', '/advanced']) {
      await page.goto(address(project, part));
      await page.getByRole('button', { name: /^Edit/ }).first().click();
      await expect(page.getByRole('button', { name: 'Save' })).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
  });
});
