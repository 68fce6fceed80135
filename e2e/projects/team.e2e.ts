import { addMember, editMember, listMembers } from '#contract/team.ts';
import { newcomer, newestMail } from '#test/newcomer.ts';
import { anEmail, expect, expectAccessible, expectNoSidewaysScroll, test } from '../world.ts';
import { act, address, row } from './teamPage.ts';

test('someone with an account is added with a role at once', async ({
  page,
  open,
  platform,
  project,
  expectRefused,
}) => {
  expectRefused('400 POST /api/projects/*/members');
  const grace = await newcomer(platform.url, anEmail('grace'), 'Grace Hopper');
  await page.goto(address(project));
  await expectAccessible(page);
  await page.keyboard.press('c');
  await expect(page).toHaveURL(address(project, '#new'));
  const dialog = page.getByRole('dialog', { name: 'Add member' });
  await expect(dialog.getByLabel('E-mail')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('REQUIRED')).toBeVisible();
  await dialog.getByLabel('E-mail').fill('no address');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('E-mail')).toHaveAccessibleDescription(/INVALID/);
  await expect(dialog.getByText('INVALID_FIELDS')).toHaveCount(0);
  await dialog.getByLabel('E-mail').fill(grace.email);
  await dialog.getByLabel('Viewer').check();
  await dialog.getByRole('button', { name: 'Add member' }).click();
  await expect(page.getByText('Member added')).toBeVisible();
  await expect(row(page, 'Grace Hopper')).toContainText('Viewer');
  await expect(row(page, 'Grace Hopper')).toHaveAttribute('data-marked', 'true');
  await expect(page).toHaveURL(address(project));
  const theirs = await open(grace);
  await theirs.goto(address(project));
  await expect(row(theirs, '(you)')).toContainText('Grace Hopper');
  await expect(theirs.getByRole('button', { name: 'Add member' })).toHaveCount(0);
  await expectAccessible(theirs);
});

test('an invitation is accepted in another browser, and the pending member becomes a member', async ({
  page,
  browser,
  watch,
  platform,
  project,
}) => {
  const email = anEmail('invited');
  await page.goto(address(project, '#new'));
  await page.getByLabel('E-mail').fill(email);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Invitation sent')).toBeVisible();
  await expect(row(page, email)).toContainText('Pending');
  await expectAccessible(page);
  const first = await newestMail(platform.url, email);
  await act(page, email, 'Resend invitation');
  await expect(page.getByText('Invitation resent')).toBeVisible();
  const link = /https?:\/\/[^/\s]+(\/activate\S+)/.exec((await newestMail(platform.url, email))?.text ?? '');
  expect(first?.text).not.toContain(link?.[1]);

  const context = await browser.newContext({ baseURL: platform.url });
  const theirs = await context.newPage();
  watch(theirs);
  await theirs.goto(link?.[1] ?? '');
  await theirs.getByLabel('Name').fill('Jonas Lind');
  await theirs.getByLabel('Password', { exact: true }).fill('a lantern at low tide 7');
  await theirs.keyboard.press('Enter');
  // Signed in with the password that was just chosen.
  await theirs.getByRole('link', { name: /Nordlys Home/ }).click();
  await expect(theirs.getByRole('heading', { level: 1, name: 'Nordlys Home' })).toBeVisible();
  await page.reload();
  await expect(row(page, 'Jonas Lind')).not.toContainText('Pending');
  await context.close();
});

test('a pending invitation is withdrawn, and the dialog says what that means', async ({
  page,
  developer,
  project,
}) => {
  const params = { projectId: project.id };
  const email = anEmail('invited');
  await developer.client.call(addMember, { params, body: { email } });
  await page.goto(address(project));
  await act(page, email, 'Remove');
  await expect(page.getByRole('dialog')).toContainText('will no longer give access to this project');
  await page.getByRole('button', { name: 'Withdraw invitation' }).click();
  await expect(row(page, email)).toHaveCount(0);
  expect(await developer.client.call(listMembers, { params })).toHaveLength(1);
});

test('a changed role takes effect in the other’s open window', async ({
  page,
  open,
  aMember,
  project,
  expectRefused,
}) => {
  expectRefused('403 PATCH /api/projects/*');
  const grace = await open(await aMember(project, 'developer'));
  await grace.goto(`/projects/${project.id}/settings`);
  await expect(grace.getByRole('button', { name: 'Edit overview' })).toBeVisible();
  await grace.getByRole('button', { name: 'Edit overview' }).click();
  await grace.getByLabel('Description').fill('Half typed');
  await page.goto(address(project));
  await row(page, 'Grace Hopper')
    .getByRole('button', { name: 'Role of Grace Hopper: Developer' })
    .press('Enter');
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: /^Viewer/ }).press('Enter');
  await expect(row(page, 'Grace Hopper')).toContainText('Viewer');
  await expect(grace.getByText('You are a viewer in this project')).toBeVisible();
  await expect(grace.getByLabel('Description')).toHaveValue('Half typed');
  await grace.getByRole('button', { name: 'Save' }).click();
  await expect(grace.getByText('ROLE_TOO_LOW')).toBeVisible();
  await expect(grace.getByLabel('Description')).toHaveValue('Half typed');
});

test('two owners change one role: the second is told', async ({
  page,
  developer,
  aMember,
  project,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/projects/*/members/*');
  const grace = await aMember(project, 'developer');
  await page.goto(address(project));
  await expect(row(page, 'Grace Hopper')).toContainText('Developer');
  // What the page shows stays as old as it is.
  await page.route('**/api/projects/*/members*', route => new Promise(() => route));
  const params = { projectId: project.id, developerId: grace.developer.id };
  await developer.client.call(editMember, { params, body: { role: 'viewer' } });
  await page.getByRole('button', { name: 'Role of Grace Hopper: Developer' }).click();
  await page.getByRole('menuitem', { name: /^Owner/ }).click();
  await expect(page.getByRole('alert')).toContainText('STALE');
  await expectAccessible(page);
});

test('a member of a large team is found by name, with or without accents', async ({
  page,
  developer,
  project,
}) => {
  const params = { projectId: project.id };
  const tag = anEmail('x').replace(/@.*/, '');
  for (let at = 0; at < 12; at++) {
    const email = `${at === 3 ? 'zoe' : `member${at}`}.${tag}@example.com`;
    await developer.client.call(addMember, { params, body: { email } });
  }
  await page.goto(address(project));
  await expect(page.getByRole('row')).toHaveCount(14);
  await page.keyboard.press('/');
  await page.keyboard.type('ZOË');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/q=ZO/);
  await page.getByRole('searchbox').fill('nobody at all');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(page.getByRole('row')).toHaveCount(14);
});

test.describe('at 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } });
  test('nothing is cut off sideways', async ({ page, aMember, project }) => {
    await aMember(project, 'viewer', 'Ñ'.repeat(100));
    for (const hash of ['', '#new']) {
      await page.goto(address(project, hash));
      await expect(page.getByRole('row')).toHaveCount(3);
      await expectNoSidewaysScroll(page);
    }
  });
});
