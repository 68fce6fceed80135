import { expect, expectAccessible, test } from '../world.ts';
import { act, address, row } from './teamPage.ts';

test('a removed member is led out of the open window with the reason', async ({
  page,
  open,
  aMember,
  project,
  expectRefused,
}) => {
  expectRefused(/^403 GET \/api\/projects\/\w+(\/\w+)?$/);
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

test('a member who leaves sees no error about it', async ({ page, open, aMember, project }) => {
  const grace = await open(await aMember(project, 'viewer'));
  await page.goto(address(project));
  await grace.goto(address(project));
  // The live link is faster than the answer: its message must not navigate before the answer has arrived.
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

test('the last member and the last owner cannot leave, and are told what to do instead', async ({
  page,
  developer,
  aMember,
  project,
}) => {
  const { name } = developer.developer;
  await page.goto(address(project));
  await act(page, name, 'Leave project');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The last member cannot leave the project. Delete the project instead.');
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Open settings' }).click();
  await expect(page.getByRole('button', { name: 'Delete project' })).toBeVisible();
  await aMember(project, 'developer');
  await page.goto(address(project));
  await act(page, name, 'Leave project');
  await expect(dialog).toContainText('A project needs an owner. Make another member an owner first.');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: `Role of ${name}: Owner` }).click();
  await page.getByRole('menuitem', { name: /^Viewer/ }).click();
  await expect(dialog).toContainText('LAST_OWNER');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Role of Grace Hopper: Developer' }).click();
  await page.getByRole('menuitem', { name: /^Owner/ }).click();
  await expect(row(page, 'Grace Hopper')).toContainText('Owner');
  await page.getByRole('button', { name: `Role of ${name}: Owner` }).click();
  await page.getByRole('menuitem', { name: /^Developer/ }).click();
  await expect(dialog).toContainText('Only another owner can make you an owner again.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});
