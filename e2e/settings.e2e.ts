import type { Page } from '@playwright/test';
import type { BodyOf } from '#contract/endpoint.ts';
import { editProject, type Project, readProject } from '#contract/project.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { expect, expectAccessible, test } from './world.ts';

const address = ({ id }: Project, part = '') => `/projects/${id}/settings${part}`;
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const saved = (page: Page) => expect(page.getByText('Settings saved')).toBeVisible();

function readNow(by: Newcomer, { id }: Project): Promise<Project> {
  return by.client.call(readProject, { params: { projectId: id } });
}

function change(by: Newcomer, { id }: Project, body: BodyOf<typeof editProject>): Promise<Project> {
  return by.client.call(editProject, { params: { projectId: id }, body });
}

async function jump(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type(typed);
  await page.keyboard.press('Enter');
}

test('the overview is edited in its place, and only what changed is sent', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  await page.goto(address(project));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Edit overview' }).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.getByLabel('Public alias').fill('not an alias');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('INVALID_FORMAT')).toBeVisible();
  await expect(page.getByLabel('Public alias')).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel('Public alias').fill('');
  await page.getByLabel('Description').fill('Thermostats\nand hubs');
  const sent = page.waitForRequest(request => request.method() === 'PATCH');
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).toEqual({ description: 'Thermostats\nand hubs' });
  expect((await sent).headers()['if-match']).toBe(`"${project.revision}"`);
  await saved(page);
  await expect(section(page, 'Overview')).toContainText('and hubs');
  await expect(page.getByRole('button', { name: 'Edit overview' })).toBeFocused();
  expect((await readNow(developer, project)).description).toBe('Thermostats\nand hubs');
});

test('only the change of an existing public alias asks', async ({ page, developer, aProject }) => {
  const project = await aProject();
  const sentence = 'Changing the Public Alias may prevent your users from logging in. Are you sure?';
  const alias = `nordlys-${Date.now()}`;
  const fill = async (text: string) => {
    await page.getByRole('button', { name: 'Edit overview' }).click();
    await page.getByLabel('Public alias').fill(text);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  await page.goto(address(project));
  await fill(alias);
  await saved(page);
  await fill(`${alias}-2`);
  await expect(page.getByRole('dialog')).toContainText(sentence);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel' }).last().click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByLabel('Public alias')).toHaveValue(`${alias}-2`);
  expect((await readNow(developer, project)).publicAlias).toBe(alias);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Change alias' }).click();
  await expect(section(page, 'Overview')).toContainText(`${alias}-2`);
  const other = await aProject('Other');
  await page.goto(address(other));
  await fill(`${alias}-2`.toUpperCase());
  await expect(page.getByText('PUBLIC_ALIAS_TAKEN').first()).toBeVisible();
  await expect(page.getByLabel('Public alias')).toHaveValue(`${alias}-2`.toUpperCase());
});

test('how users sign in: message, policy and restriction', async ({ page, developer, aProject }) => {
  const project = await aProject();
  await page.goto(address(project, '/user_auth'));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Edit authentication message' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Welcome');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(section(page, 'Authentication message')).toContainText('Welcome');

  await page.getByRole('button', { name: 'Edit user password policy' }).click();
  const policy = page.getByRole('switch', { name: 'A policy of your own' });
  await expect(policy).toHaveText('DISABLED');
  await policy.click();
  await expect(policy).toHaveText('ENABLED');
  await expect(page.getByLabel('Minimum length')).toHaveValue('12');
  await page.getByLabel('Minimum length').fill('7');
  await page.getByLabel('Passwords expire').check();
  await expect(page.getByLabel('Days until')).toHaveValue('90');
  await expect(page.getByText('not advised')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('OUT_OF_RANGE')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Minimum length').fill('14');
  await page.getByLabel('A digit').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(section(page, 'User password policy')).toContainText('at least 14');
  await expect(section(page, 'User password policy')).toContainText('after 90 days');

  await page.getByRole('button', { name: 'Edit password login restriction' }).click();
  await page.getByRole('switch', { name: 'Restrict password login' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(section(page, 'Password login restriction')).toContainText('ENABLED');
  expect(await readNow(developer, project)).toMatchObject({
    userAuthMessage: 'Welcome',
    restrictPasswordLogin: true,
    userPasswordPolicy: { minLength: 14, mustHaveNumber: true, mustHaveUppercase: false, maxAge: 90 },
  });
});

test('each option says what it does and is ENABLED or DISABLED', async ({ page, developer, aProject }) => {
  const project = await aProject();
  await page.goto(address(project, '/advanced'));
  await expectAccessible(page);
  await expect(page.getByRole('button', { name: 'Edit options' })).toBeVisible();
  await page.keyboard.press('e');
  const names = [
    'On-demand provisioning',
    'Deactivate new homes',
    'Restrict user registration',
    'Restrict home creation',
    'Public firmware downloads',
    'Device log retrieval',
  ];
  for (const name of names) {
    await expect(page.getByRole('switch', { name })).toHaveText('DISABLED');
    await page.getByRole('switch', { name }).click();
    await expect(page.getByRole('switch', { name })).toHaveText('ENABLED');
  }
  await expect(page.getByLabel('Alert retention')).toHaveValue('7');
  await page.getByLabel('Alert retention').fill('30');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await saved(page);
  await expect(section(page, 'Options').getByText('ENABLED')).toHaveCount(names.length);
  expect(await readNow(developer, project)).toMatchObject({
    onDemandProvisioning: true,
    deactivateNewHomes: true,
    restrictUserReg: true,
    restrictHomeCreation: true,
    allowPublicOTAU: true,
    enableDeviceLogRetrieval: true,
    alertRetentionPeriod: 30,
  });
});

test('what cannot be undone asks first, and is done once', async ({ page, developer, aProject }) => {
  const project = await aProject();
  await page.goto(address(project, '/advanced'));
  for (const verb of ['Forget device keys', 'Enable permissions']) {
    await page.getByRole('button', { name: verb }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('This change is irreversible. Are you sure?');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: verb })).toBeFocused();
    await page.getByRole('button', { name: verb }).click();
    await dialog.getByRole('button', { name: verb }).click();
    await expect(page.getByRole('button', { name: verb })).toHaveCount(0);
  }
  await expect(page.getByText('This was turned on for good')).toHaveCount(2);
  await expectAccessible(page);
  expect(await readNow(developer, project)).toMatchObject({
    forgetDeviceKeys: true,
    enablePermissionBasedAccessControl: true,
  });
});

test('user auth is there only where the platform keeps the accounts, also when that changes meanwhile', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject();
  const tab = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'User auth' });
  await page.goto(address(project, '/user_auth'));
  await expect(tab).toBeVisible();
  await change(developer, project, { userAccountMode: 'external' });
  await expect(page).toHaveURL(address(project));
  await expect(tab).toHaveCount(0);
  await page.goto(address(project, '/user_auth'));
  await expect(page).toHaveURL(address(project));
});

test('a viewer sees everything and changes nothing; what is the owner’s is said', async ({
  open,
  aProject,
  aMember,
}) => {
  const project = await aProject();
  const viewer = await open(await aMember(project, 'viewer'));
  for (const part of ['', '/user_auth', '/advanced']) {
    await viewer.goto(address(project, part));
    await expect(viewer.getByText('You are a viewer here')).toHaveCount(1);
    await expect(viewer.getByRole('button', { name: /^Edit|^Forget|^Enable|^Delete/ })).toHaveCount(0);
    await expectAccessible(viewer);
  }
  await viewer.keyboard.press('e');
  await expect(viewer.getByRole('button', { name: 'Save' })).toHaveCount(0);
  const member = await open(await aMember(project, 'developer'));
  await member.goto(address(project, '/advanced'));
  await expect(member.getByRole('button', { name: 'Edit options' })).toBeVisible();
  await expect(member.getByText('Only an owner of the project can change this.')).toHaveCount(2);
  await expect(member.getByRole('button', { name: 'Forget device keys' })).toHaveCount(0);
});

test('a project is deleted by typing its name, and its end can be watched', async ({
  page,
  open,
  aProject,
  aMember,
}) => {
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
  await expect(page.getByText('is deleted')).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: /Doomed/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page).toHaveURL(/\/projects$/);
  await expect(other).toHaveURL(/\/not_found$/);
});

test('by keyboard alone: there, in, changed, saved, and back where one was', async ({ page, aProject }) => {
  const project = await aProject();
  await page.goto(`/projects/${project.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Nordlys Home' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
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
  await jump(page, 'forget');
  await expect(page.getByRole('dialog')).toContainText('irreversible');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog').getByText('PATCH').first()).toBeVisible();
});

test('a form with something typed asks before it is left', async ({ page, aProject }) => {
  const project = await aProject();
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
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([part, overflow]).toEqual([part, 0]);
    }
  });
});
