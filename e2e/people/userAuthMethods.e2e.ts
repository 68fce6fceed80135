import { createProject, type Project } from '#contract/project.ts';
import { createUserAuthMethod } from '#contract/userAuthMethod.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { anOidcProvider, type OidcProvider } from '#test/oidcProvider.ts';
import { test as base, expect, expectAccessible } from '../world.ts';

const test = base.extend<{ provider: OidcProvider; project: Project }>({
  provider: async ({ platform }, use) => {
    const provider = await anOidcProvider();
    provider.register(`${platform.url}/api/userAuth/callback`);
    await use(provider);
    await provider.end();
  },
  project: async ({ developer }, use) =>
    use(await developer.client.call(createProject, { body: { name: 'Nordlys Home' } })),
});

test('a sign-in method is added, corrected, tested in a new window and deleted', async ({
  page,
  context,
  project,
  provider,
  expectRefused,
}) => {
  expectRefused('422 POST /api/projects/*/userAuthMethods');
  const settings = `/projects/${project.id}/settings/user_auth`;
  await page.goto(settings);
  await page.getByRole('button', { name: 'Create sign-in method' }).click();
  await expect(page).toHaveURL(/#new$/);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('/api/userAuth/callback')).toBeVisible();
  await dialog.getByLabel('Label').fill('Nordlys account');
  await dialog.getByLabel('Issuer').fill(`${provider.issuer}/`);
  await dialog.getByLabel('Client id').fill(provider.clientId);
  await dialog.getByLabel('Client secret').fill(provider.clientSecret);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('ISSUER_MISMATCH').first()).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: `Use ${provider.issuer}` }).click();
  await dialog.getByRole('button', { name: 'Create sign-in method' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Nordlys account' })).toBeVisible();
  await expect(page.getByText('It supports PKCE with S256.')).toBeVisible();
  await expectAccessible(page);

  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Test sign-in' }).click();
  const other = await opened;
  await expect(page.getByText('Waiting for the sign-in')).toBeVisible();
  await other.getByPlaceholder(/login/i).fill('ada');
  await other.getByPlaceholder(/password/i).fill('any');
  await other.getByRole('button', { name: /sign-in/i }).click();
  await other.getByRole('button', { name: /continue/i }).click();
  for (const window of [other, page]) {
    await expect(window.getByText('Signed in')).toBeVisible();
    await expect(window.getByRole('row', { name: /email ada@example.com/ })).toBeVisible();
  }
  await expectAccessible(page);
  await other.close();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete sign-in method' }).click();
  await expect(page.getByText('Do you really want to delete sign-in method')).toBeVisible();
  await page.getByRole('button', { name: 'Delete sign-in method' }).click();
  await expect(page).toHaveURL(new RegExp(`${settings}$`));
  await expect(page.getByText('Let users sign in with an existing account')).toBeVisible();
  await expectAccessible(page);
});

test('a failed sign-in says why, and a deleted method says so', async ({
  page,
  context,
  developer,
  project,
  provider,
  expectRefused,
}) => {
  expectRefused('404 GET /api/projects/*/userAuthMethods/uam_gone');
  const methodId = await aMethod(developer, project, { ...provider, clientSecret: 'wrong' });
  await page.goto(`/projects/${project.id}/user_auth_methods/${methodId}`);
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Test sign-in' }).click();
  const other = await opened;
  await other.getByPlaceholder(/login/i).fill('ada');
  await other.getByPlaceholder(/password/i).fill('any');
  await other.getByRole('button', { name: /sign-in/i }).click();
  await other.getByRole('button', { name: /continue/i }).click();
  await expect(page.getByText('Check the client id and client secret.')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/projects/${project.id}/user_auth_methods/uam_gone`);
  await expect(page.getByText('Sign-in method uam_gone does not exist.')).toBeVisible();
});

test('a change of the issuer asks for its secret before anything is sent', async ({
  page,
  developer,
  project,
  provider,
  expectRefused,
}) => {
  expectRefused('422 PATCH /api/projects/*/userAuthMethods/*');
  const methodId = await aMethod(developer, project, provider);
  await page.goto(`/projects/${project.id}/user_auth_methods/${methodId}`);
  await page.getByRole('button', { name: 'Edit method' }).click();
  await page.getByLabel('Issuer').fill('https://10.0.0.7');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Client secret')).toBeFocused();
  await page.getByLabel('Client secret').fill('another');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('ADDRESS_REFUSED').first()).toBeVisible();
  await expect(page.getByLabel('Issuer')).toBeFocused();
  await expectAccessible(page);
});

async function aMethod(
  { client }: Newcomer,
  { id: projectId }: Project,
  { issuer, clientId, clientSecret }: OidcProvider,
): Promise<string> {
  const config = { issuer, clientId, clientSecret };
  const body = { label: 'Nordlys account', protocol: 'oidc', config } as const;
  return (await client.call(createUserAuthMethod, { params: { projectId }, body })).id;
}
