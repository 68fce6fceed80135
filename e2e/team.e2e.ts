import type { Page } from '@playwright/test';
import { addMember, editMember, listMembers } from '#contract/member.ts';
import type { Project } from '#contract/project.ts';
import { newcomer, newestMail } from '#test/newcomer.ts';
import { anEmail, expect, expectAccessible, test } from './world.ts';

const address = ({ id }: Project, hash = '') => `/projects/${id}/team${hash}`;
const row = (page: Page, name: string | RegExp) => page.getByRole('row').filter({ hasText: name });

async function act(page: Page, who: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${who}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('someone with an account is added with a role, at once', async ({ page, open, aProject, platform }) => {
  const project = await aProject();
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
  await expect(dialog.getByText('INVALID_FIELDS')).toBeVisible();
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

test('an invitation is followed in another browser, and what is pending becomes a member', async ({
  page,
  browser,
  watch,
  platform,
  aProject,
}) => {
  const project = await aProject();
  const email = anEmail('invited');
  await page.goto(address(project, '#new'));
  await page.getByLabel('E-mail').fill(email);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Invitation sent')).toBeVisible();
  await expect(row(page, email)).toContainText('Pending');
  await expectAccessible(page);
  const first = await newestMail(platform.url, email);
  await act(page, email, 'Send the invitation again');
  await expect(page.getByText('Invitation sent again')).toBeVisible();
  const link = /https?:\/\/[^/\s]+(\/activate\S+)/.exec((await newestMail(platform.url, email))?.text ?? '');
  expect(first?.text).not.toContain(link?.[1]);

  const context = await browser.newContext({ baseURL: platform.url });
  const theirs = await context.newPage();
  watch(theirs);
  await theirs.goto(link?.[1] ?? '');
  await theirs.getByLabel('Name').fill('Jonas Lind');
  await theirs.getByLabel('Password', { exact: true }).fill('a lantern at low tide 7');
  await theirs.keyboard.press('Enter');
  await theirs.goto('/login');
  await theirs.getByLabel('E-mail').fill(email);
  await theirs.getByLabel('Password', { exact: true }).fill('a lantern at low tide 7');
  await theirs.keyboard.press('Enter');
  await theirs.getByRole('link', { name: /Nordlys Home/ }).click();
  await expect(theirs.getByRole('heading', { level: 1, name: 'Nordlys Home' })).toBeVisible();
  await page.reload();
  await expect(row(page, 'Jonas Lind')).not.toContainText('Pending');
  await context.close();
});

test('a pending invitation is withdrawn, and says what that means', async ({ page, developer, aProject }) => {
  const project = await aProject();
  const params = { projectId: project.id };
  const email = anEmail('invited');
  await developer.client.call(addMember, { params, body: { email } });
  await page.goto(address(project));
  await act(page, email, 'Remove');
  await expect(page.getByRole('dialog')).toContainText('no longer leads into this project');
  await page.getByRole('button', { name: 'Withdraw invitation' }).click();
  await expect(row(page, email)).toHaveCount(0);
  expect(await developer.client.call(listMembers, { params })).toHaveLength(1);
});

test('a changed role holds in the other’s open window', async ({ page, open, aProject, aMember }) => {
  const project = await aProject();
  const grace = await open(await aMember(project, 'developer'));
  await grace.goto(`/projects/${project.id}/settings`);
  await expect(grace.getByRole('button', { name: 'Edit overview' })).toBeVisible();
  await grace.getByRole('button', { name: 'Edit overview' }).click();
  await grace.getByLabel('Description').fill('Half typed');
  await page.goto(address(project));
  await act(page, 'Grace Hopper', 'Change role');
  await expectAccessible(page);
  await page.getByLabel('Viewer').check();
  await page.getByRole('button', { name: 'Save role' }).click();
  await expect(row(page, 'Grace Hopper')).toContainText('Viewer');
  await expect(grace.getByText('You are a viewer here')).toBeVisible();
  await expect(grace.getByLabel('Description')).toHaveValue('Half typed');
  await grace.getByRole('button', { name: 'Save' }).click();
  await expect(grace.getByText('ROLE_TOO_LOW')).toBeVisible();
  await expect(grace.getByLabel('Description')).toHaveValue('Half typed');
});

test('whoever is removed is led out of the open window with the reason', async ({
  page,
  open,
  aProject,
  aMember,
}) => {
  const project = await aProject();
  const grace = await open(await aMember(project, 'developer'));
  await grace.goto(`/projects/${project.id}/settings`);
  await expect(grace.getByRole('button', { name: 'Edit overview' })).toBeVisible();
  await page.goto(address(project));
  await act(page, 'Grace Hopper', 'Remove');
  await expect(page.getByRole('dialog')).toContainText('loses access');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove member' }).click();
  await expect(row(page, 'Grace Hopper')).toHaveCount(0);
  await expect(grace).toHaveURL(/\/projects$/);
  await expect(grace.getByText('You do not have access to this project.')).toBeVisible();
  await grace.goto(`/projects/${project.id}/settings`);
  await expect(grace).toHaveURL(/\/projects$/);
});

test('a member leaves by himself and is not told off for it', async ({ page, open, aProject, aMember }) => {
  const project = await aProject();
  const grace = await open(await aMember(project, 'viewer'));
  await page.goto(address(project));
  await grace.goto(address(project));
  // The live link is faster than the answer: what it says must not lead away before the answer is there.
  await grace.route('**/members/*', async route => {
    const answer = await route.fetch();
    await expect(row(page, 'Grace Hopper')).toHaveCount(0);
    await route.fulfill({ response: answer });
  });
  await act(grace, 'Grace Hopper', 'Leave project');
  await expectAccessible(grace);
  await grace.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click();
  await expect(grace.getByText('You left Nordlys Home')).toBeVisible();
  await expect(grace).toHaveURL(/\/projects$/);
  await expect(grace.getByRole('link', { name: /Nordlys Home/ })).toHaveCount(0);
  await expect(grace.getByText('You do not have access')).toHaveCount(0);
});

test('the last member and the last owner stay, and are told what to do instead', async ({
  page,
  developer,
  aProject,
  aMember,
}) => {
  const project = await aProject();
  const { name } = developer.developer;
  await page.goto(address(project));
  await act(page, name, 'Leave project');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The last member cannot leave. Delete the project instead.');
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Open settings' }).click();
  await expect(page.getByRole('button', { name: 'Delete project' })).toBeVisible();
  await aMember(project, 'developer');
  await page.goto(address(project));
  await act(page, name, 'Leave project');
  await expect(dialog).toContainText('A project needs an owner. Make another member owner first.');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await act(page, name, 'Change role');
  await dialog.getByLabel('Viewer').check();
  await dialog.getByRole('button', { name: 'Save role' }).click();
  await expect(dialog).toContainText('LAST_OWNER');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Discard what you typed?')).toBeVisible();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(row(page, name)).toContainText('Owner');
});

test('two owners change one role: the second is told', async ({ page, developer, aProject, aMember }) => {
  const project = await aProject();
  const grace = await aMember(project, 'developer');
  await page.goto(address(project));
  await act(page, 'Grace Hopper', 'Change role');
  await page.getByLabel('Owner').check();
  const params = { projectId: project.id, developerId: grace.developer.id };
  await developer.client.call(editMember, { params, body: { role: 'viewer' } });
  const notice = page.getByRole('alert', { name: 'Changed meanwhile' });
  await expect(notice).toContainText('Viewer');
  await expect(notice).toContainText('Owner');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(row(page, 'Grace Hopper')).toContainText('Owner');
});

test('in a large team one is found by name, accents or not', async ({ page, developer, aProject }) => {
  const project = await aProject();
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
  test('nothing is cut off sideways', async ({ page, aProject, aMember }) => {
    const project = await aProject();
    await aMember(project, 'viewer', 'Ñ'.repeat(100));
    for (const hash of ['', '#new']) {
      await page.goto(address(project, hash));
      await expect(page.getByRole('row')).toHaveCount(3);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([hash, overflow]).toEqual([hash, 0]);
    }
  });
});
