import { expect, expectAccessible, test } from '../world.ts';
import { address, readNow, saved, section } from './settingsPage.ts';

test('the overview is edited in place, and only the changed fields are sent', async ({
  page,
  developer,
  project,
}) => {
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

test('only changing an existing public alias asks for confirmation', async ({
  page,
  developer,
  aProject,
  project,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/projects/*');
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

test('message, password policy and restriction of user sign-in are edited', async ({
  page,
  developer,
  project,
}) => {
  await page.goto(address(project, '/user_auth'));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Edit authentication message' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Welcome');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(section(page, 'Authentication message')).toContainText('Welcome');

  await page.getByRole('button', { name: 'Edit user password policy' }).click();
  const policy = page.getByRole('switch', { name: 'Custom policy' });
  await expect(policy).toHaveText('DISABLED');
  await policy.click();
  await expect(policy).toHaveText('ENABLED');
  await expect(page.getByLabel('Minimum length')).toHaveValue('12');
  await page.getByLabel('Minimum length').fill('7');
  await page.getByLabel('Passwords expire').check();
  await expect(page.getByLabel('Days until')).toHaveValue('90');
  await expect(page.getByText('not recommended')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('OUT_OF_RANGE')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Minimum length').fill('14');
  await page.getByLabel('A digit').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(section(page, 'User password policy')).toContainText('at least 14');
  await expect(section(page, 'User password policy')).toContainText('after 90 days');

  await page.getByRole('button', { name: 'Edit restrict password sign-in' }).click();
  await page.getByRole('switch', { name: 'Restrict password sign-in' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Edit restrict password sign-in' })).toBeVisible();
  await expect(section(page, 'Restrict password sign-in')).toContainText('ENABLED');
  await expect(section(page, 'Restrict password sign-in')).toContainText(
    'users can sign in only through your back end',
  );
  expect(await readNow(developer, project)).toMatchObject({
    userAuthMessage: 'Welcome',
    restrictPasswordLogin: true,
    userPasswordPolicy: { minLength: 14, mustHaveNumber: true, mustHaveUppercase: false, maxAge: 90 },
  });
});

test('each option says what it does, and nothing is a double negative', async ({
  page,
  developer,
  project,
}) => {
  await page.goto(address(project, '/advanced'));
  await expectAccessible(page);
  await expect(page.getByRole('button', { name: 'Edit options' })).toBeVisible();
  await page.keyboard.press('e');
  const names = ['On-demand provisioning', 'Public firmware downloads', 'Device log retrieval'];
  for (const name of names) {
    await expect(page.getByRole('switch', { name })).toHaveText('DISABLED');
    await page.getByRole('switch', { name }).click();
    await expect(page.getByRole('switch', { name })).toHaveText('ENABLED');
  }
  const reversed = [
    ['New homes start', 'active', 'inactive'],
    ['Users can register', 'yes', 'no'],
    ['Users can create homes', 'yes', 'no'],
  ] as const;
  for (const [name, before, after] of reversed) {
    await expect(page.getByRole('switch', { name })).toHaveText(before);
    await page.getByRole('switch', { name }).click();
    await expect(page.getByRole('switch', { name })).toHaveText(after);
  }
  await expect(page.getByLabel('Alert retention')).toHaveValue('7');
  await page.getByLabel('Alert retention').fill('30');
  await page.getByLabel('Device messages').fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Device messages')).toHaveAccessibleDescription(/1 to 1,000/);
  await expect(page.getByText('OUT_OF_RANGE')).toBeVisible();
  await page.getByLabel('Device messages').fill('50');
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
    deviceMessageRate: 50,
  });
});

test('an irreversible option asks first, and is turned on once', async ({ page, developer, project }) => {
  await page.goto(address(project, '/advanced'));
  for (const verb of ['Stop storing device keys', 'Enable permissions']) {
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
  await expect(page.getByText('This setting cannot be turned off again')).toHaveCount(2);
  await expectAccessible(page);
  expect(await readNow(developer, project)).toMatchObject({
    forgetDeviceKeys: true,
    enablePermissionBasedAccessControl: true,
  });
});
