import { createHome } from '#contract/home.ts';
import { editProject } from '#contract/project.ts';
import { createUser, listUsers, readUser } from '#contract/user.ts';
import { newestMail } from '#test/newcomer.ts';
import { anEmail, expect, expectAccessible, expectNoSidewaysScroll, test } from '../world.ts';

const password = 'a lantern at low tide 7';

test('a user is added with two passwords that match, found, suspended, resumed and signed out', async ({
  page,
  developer,
  project,
}) => {
  const email = anEmail('erik');
  await page.goto(`/projects/${project.id}/users`);
  await expect(page.getByText('No users yet')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Add user' });
  await expect(dialog.getByRole('textbox', { name: 'E-mail' })).toBeFocused();
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await dialog.getByLabel('Name (optional)').fill('Erik Lindqvist');
  await dialog.getByLabel('Set a password').check();
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByLabel('Repeat password').fill('another');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Repeat password')).toHaveAccessibleDescription(/PASSWORDS_DIFFER/);
  await expectAccessible(page);
  await dialog.getByLabel('Repeat password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Erik Lindqvist' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Signing in' })).toContainText('at the first sign-in');
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('Erik Lindqvist');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page.getByRole('button', { name: 'Suspend user' }).click();
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Users', exact: true }).first().click();
  await expect(page.getByRole('button', { name: /Suspended\s*1/ })).toBeVisible();
  await page.getByRole('searchbox').fill('nobody at all');
  await expect(page.getByText('No matching users')).toBeVisible();
  await page.getByRole('searchbox').fill('x'.repeat(201));
  await expect(page.getByText('This is too long: 201 of 200 characters.')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('x'.repeat(201));
  await page.getByRole('searchbox').fill('lindq');
  const row = page.getByRole('row', { name: /Erik Lindqvist/ });
  await expect(row).toContainText('Suspended');
  await expect(page).toHaveURL(/q=lindq/);
  await row.getByRole('button', { name: 'Actions for Erik Lindqvist' }).click();
  await page.getByRole('menuitem', { name: 'Resume user' }).click();
  await page.getByRole('button', { name: 'Resume user' }).click();
  await expect(row).toContainText('Active');
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  const { items } = await developer.client.call(listUsers, { query: { projectId: project.id } });
  expect(items.map(user => [user.email, user.verified])).toEqual([[email, true]]);
});

test('an invited user chooses a password with the e-mail, and a second user with that address is refused', async ({
  page,
  platform,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('409 POST /api/users');
  const email = anEmail('elin');
  await page.goto(`/projects/${project.id}/users#new`);
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('Not verified', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Signing in' })).toContainText('not set');
  expect(await newestMail(platform.url, email)).toBeDefined();
  await page.goto(`/projects/${project.id}/users#new`);
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByText('EMAIL_TAKEN')).toBeVisible();

  await developer.client.call(editProject, {
    params: { projectId: project.id },
    body: { userAccountMode: 'external' },
  });
  await page.goto(`/projects/${project.id}/users`);
  await expect(page.getByText('Your own back end manages these accounts')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add user' })).toHaveCount(0);
});

test('an export is downloaded; an erasure waits for the user’s homes to be settled, then removes the user', async ({
  page,
  developer,
  project,
  aMember,
  open,
  expectRefused,
}) => {
  const { client } = developer;
  const projectId = project.id;
  const body = { projectId, email: anEmail('kari'), name: 'Kari Moen', password };
  const { id: userId } = await client.call(createUser, { body });
  const home = { projectId, ownerId: userId, name: 'Moen, Hamar', timeZone: 'Europe/Oslo' };
  await client.call(createHome, { body: home });
  await page.goto(`/projects/${projectId}/users/${userId}`);
  await expect(page.getByRole('region', { name: 'Moen, Hamar' })).toContainText('Owner');
  const data = page.getByRole('region', { name: 'Data' });
  await expect(data).toContainText('Before this user can be deleted, transfer or delete Moen, Hamar.');
  await data.getByRole('button', { name: 'Export' }).click();
  const arriving = page.waitForEvent('download');
  await data.getByRole('link', { name: 'Download' }).click();
  expect((await arriving).suggestedFilename()).toMatch(/\.zip$/);

  await data.getByRole('button', { name: 'Delete user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete user' });
  await expect(dialog.getByRole('link', { name: 'Moen, Hamar' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByLabel('Also delete the home').check();
  await expect(dialog).toContainText('Do you really want to delete user Kari Moen?');
  await dialog.getByLabel('Type Kari Moen to confirm').fill('Kari Moen');
  await dialog.getByRole('button', { name: 'Delete user and home' }).click();
  await expect(page).toHaveURL(`/projects/${projectId}/users`);
  await expect(page.getByText('No users yet')).toBeVisible();
  await expect(client.call(readUser, { params: { userId } })).rejects.toThrow('does not exist');
  expectRefused('404 GET /api/users/*');
  await page.goto(`/projects/${projectId}/users/${userId}`);
  await expect(page.getByRole('heading', { name: `User ${userId} does not exist.` })).toBeVisible();

  const viewer = await open(await aMember(project, 'viewer'));
  const other = { projectId, email: anEmail('saga'), name: 'Saga Lindqvist', password };
  const { id: otherId } = await client.call(createUser, { body: other });
  await viewer.goto(`/projects/${projectId}/users/${otherId}`);
  await expect(viewer.getByRole('heading', { level: 1, name: 'Saga Lindqvist' })).toBeVisible();
  await expect(viewer.getByRole('button', { name: /Suspend|Delete|Export|More actions/ })).toHaveCount(0);
  await expectAccessible(viewer);
});
