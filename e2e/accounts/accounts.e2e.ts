import { Secret, TOTP } from 'otpauth';
import { newestMail } from '#test/newcomer.ts';
import { anEmail, expect, expectAccessible, expectNoSidewaysScroll, test } from '../world.ts';

test.use({ sampleProject: 'on' });

const password = 'a lantern at low tide 7';

async function linkIn(url: string, email: string): Promise<string> {
  const mail = await newestMail(url, email);
  const path = /https?:\/\/[^/\s]+(\/\S+)/.exec(mail?.text ?? '')?.[1];
  expect(path, 'a link in the mail').toBeTruthy();
  return path ?? '';
}

test('a newcomer signs up, verifies the e-mail address and creates a first project', async ({
  page,
  expectRefused,
}) => {
  expectRefused('422 POST /api/developers');
  const email = anEmail('new');
  await page.goto('/');
  await expect(page).toHaveURL(/\/login$/);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill('Mari Kask');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('12345678');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('WEAK_PASSWORD').first()).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Check your e-mail' })).toBeFocused();
  await expectAccessible(page);

  // Without a mail server, the page says where the e-mails are.
  await page.getByRole('link', { name: 'outbox' }).click();
  await page.frameLocator('iframe').getByRole('link', { name: 'Verify e-mail' }).click();
  await expect(page).toHaveURL(/\/verify$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page);

  // The link signs in the browser that signed up.
  await page.getByRole('link', { name: 'Go to your projects' }).click();
  await expect(page).toHaveURL(/\/projects$/);
  await expect(page.getByRole('link', { name: /Sample project/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Create project' }).click();
  await expect(page).toHaveURL(/#new$/);
  await expectAccessible(page);
  await page.getByLabel('Name').fill('Nordlys Home');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Nordlys Home' })).toBeVisible();
});

test('before the address is verified, the account says what to do, once', async ({
  page,
  platform,
  expectRefused,
}) => {
  expectRefused('403 GET /api/projects');
  const email = anEmail('unverified');
  await page.goto('/signup');
  await page.getByLabel('Name').fill('Mari Kask');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByText('To access your projects, please verify your account.')).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Resend e-mail' }).click();
  await expect(page.getByText('Verification email sent.')).toBeVisible();
  await page.goto(await linkIn(platform.url, email));
  await page.getByRole('link', { name: 'Go to your projects' }).click();
  await expect(page.getByRole('link', { name: /Sample project/ })).toBeVisible();
});

test('two-factor authentication is turned on, used with a code and a recovery code, and turned off', async ({
  page,
  developer,
  platform,
  expectRefused,
}) => {
  expectRefused('403 POST /api/auth/activateAuth2F');
  await page.goto('/account');
  await expectAccessible(page);
  await page.getByRole('button', { name: /Turn on/ }).click();
  const field = page.getByRole('dialog').getByLabel('Password', { exact: true });
  await field.fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByText('WRONG_PASSWORD').first()).toBeVisible();
  await field.fill(developer.password);
  await page.keyboard.press('Enter');
  const shown = await page.getByRole('button', { name: 'Copy secret' }).locator('..').innerText();
  const secret = /[A-Z2-7]{32}/.exec(shown)?.[0] ?? '';
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Code' }).fill(totp.generate());
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  const codes = (await page.getByRole('dialog').innerText()).match(/\b[a-z0-9]{5}-[a-z0-9]{5}\b/g) ?? [];
  expect(codes).toHaveLength(10);
  await expectAccessible(page);

  await page.goto('/account');
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel('E-mail').fill(developer.email);
  await page.getByLabel('Password', { exact: true }).fill(developer.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/auth2f$/);
  await expectAccessible(page);
  // The code of the next step: the current one was used to turn it on, and each code is accepted only once.
  await page.getByRole('textbox', { name: 'Code' }).fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await expect(page).toHaveURL(/\/projects$/);

  const other = await page.context().browser()?.newContext({ baseURL: platform.url });
  const second = await other?.newPage();
  if (!second) throw new Error('no browser');
  await second.goto('/login');
  await second.getByLabel('E-mail').fill(developer.email);
  await second.getByLabel('Password', { exact: true }).fill(developer.password);
  await second.keyboard.press('Enter');
  await second.getByRole('button', { name: /recovery code/i }).click();
  await second.getByRole('textbox', { name: /code/i }).fill(codes[0] ?? '');
  await second.keyboard.press('Enter');
  await expect(second).toHaveURL(/\/projects$/);
  await other?.close();
});

test('a forgotten password is reset, and every session ends', async ({
  page,
  developer,
  platform,
  expectRefused,
}) => {
  expectRefused('401 GET /api/projects');
  await page.goto('/reset_password');
  await expectAccessible(page);
  await page.getByLabel('E-mail').fill(developer.email);
  await page.keyboard.press('Enter');
  await expect(page.getByText(developer.email)).toBeVisible();
  await page.goto(await linkIn(platform.url, developer.email));
  await expect(page).toHaveURL(/\/reset_password$/);
  await expectAccessible(page);
  await page.getByLabel('New password', { exact: true }).fill('another lantern 88');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible();
  await page.goto('/projects');
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel('E-mail').fill(developer.email);
  await page.getByLabel('Password', { exact: true }).fill('another lantern 88');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/projects$/);
});

test('signing in leads to the requested page', async ({ page, developer, expectRefused }) => {
  expectRefused('401 GET /api/projects');
  await page.context().clearCookies();
  await page.goto('/projects?sortBy=createdAt:desc');
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel('E-mail').fill(developer.email);
  await page.getByLabel('Password', { exact: true }).fill(developer.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/projects\?sortBy=createdAt:desc$/);
});

test('a failure of the server is shown at the sign-in and while a screen loads', async ({
  browser,
  developer,
  signIn,
  platform,
  project,
}) => {
  const context = await browser.newContext({ baseURL: platform.url });
  // Not watched, because the router logs why a screen could not be loaded.
  const page = await context.newPage();
  const fails = (address: string) => page.route(address, route => route.fulfill({ status: 400 }));
  await fails('**/api/auth/password');
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(developer.email);
  await page.getByLabel('Password', { exact: true }).fill(developer.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Login is disabled temporarily.')).toBeVisible();
  await signIn(context, developer);
  await fails(`**/api/projects/${project.id}`);
  await page.goto(`/projects/${project.id}`);
  await expect(page.getByText('Sorry, we encountered an unexpected error.')).toBeVisible();
  await expect(page.getByText('This function is disabled temporarily.')).toBeVisible();
  await expect(page.getByText('PROJECT_NOT_LOADED')).toBeVisible();
  await context.close();
});

test('signing out in one window signs out in the other, and Back shows nothing', async ({
  page,
  developer,
  expectRefused,
}) => {
  // The other window may ask for its list once more before it learns that its session has ended.
  expectRefused('401 GET /api/projects');
  const other = await page.context().newPage();
  await other.goto('/projects');
  await page.goto('/projects');
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(other).toHaveURL(/\/login$/);
  await page.goBack();
  await expect(page.getByText(developer.developer.name)).toHaveCount(0);
});

test('an invalid link says so', async ({ page, expectRefused }) => {
  expectRefused('400 POST /api/auth/verification');
  for (const path of [
    '/verify',
    '/verify?token=nonsense',
    '/activate?token=nonsense',
    '/sudo',
    '/reset_password?token=x',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});

test('an address that does not exist says so, and leads back', async ({
  page,
  developer: _,
  expectRefused,
}) => {
  // The address is asked for at once, before it is known whether there is such a project.
  expectRefused(/^404 GET \/api\/projects\/prj_none(\/\w+)?$/);
  await page.goto('/no/such/place');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/projects/prj_none');
  await expect(page).toHaveURL(/\/not_found$/);
});

test('a project can be created and edited by keyboard alone', async ({ page, developer: _ }) => {
  await page.goto('/projects');
  await expect(page.getByRole('link', { name: /Sample project/ })).toBeVisible();
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'By keyboard' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('account');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole('button', { name: 'Edit profile' })).toBeVisible();
  await page.keyboard.press('e');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Mari by keyboard');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Mari by keyboard').first()).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test.describe('at 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } });
  test('nothing is cut off sideways', async ({ page, developer: _ }) => {
    for (const path of ['/login', '/projects', '/account', '/no/such/place']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
  });
});
