import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { logOut, readDeveloper } from '#contract/account.ts';
import { readProject } from '#contract/project.ts';
import { deaf, expect, expectAccessible, test } from '../world.ts';

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
};

test('signing out asks about unsaved input while the session is still valid', async ({
  page,
  developer,
  project,
}) => {
  const params = { developerId: developer.developer.id };
  await page.goto(`/projects/${project.id}/settings`);
  await page.getByRole('button', { name: 'Edit overview' }).click();
  await page.getByLabel('Name').fill('Half typed');
  await signOut(page);
  const asks = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(asks).toBeVisible();
  expect(await developer.client.call(readDeveloper, { params })).toHaveProperty('id', params.developerId);
  await asks.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Half typed');
  await signOut(page);
  await asks.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(developer.client.call(readDeveloper, { params })).rejects.toHaveProperty('reason', 'NO_LOGIN');
});

test('unsaved input is saved after the session has ended and the user signs in again on the same screen', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('401 PATCH /api/projects/*', '401 POST /api/auth/password');
  await page.goto(`/projects/${project.id}/settings`);
  await page.getByRole('button', { name: 'Edit overview' }).click();
  await page.getByLabel('Name').fill('Typed before');
  await developer.client.call(logOut);
  await page.getByRole('button', { name: 'Save' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(again).toContainText('What you typed is still here.');
  const password = again.getByLabel('Password', { exact: true });
  await expect(password).toBeFocused();
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expect(again.getByText('The password is wrong.')).toBeVisible();
  await expect(again).not.toContainText('e-mail');
  await password.fill(developer.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('Typed before');
  const params = { projectId: project.id };
  const cookies = await page.context().cookies();
  for (const { name, value } of cookies) developer.cookies.set(name, value);
  expect(await developer.client.call(readProject, { params })).toHaveProperty('name', 'Typed before');
});

test('a second step that took too long leads back to the password, and what was typed stays', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('401 PATCH /api/projects/*');
  // The browser logs a live link that is refused after the session has ended.
  await deaf(page);
  await page.goto(`/projects/${project.id}/settings`);
  await page.getByRole('button', { name: 'Edit overview' }).click();
  await page.getByLabel('Name').fill('Typed before');
  await developer.client.call(logOut);
  await page.route('**/api/auth/password', route => route.fulfill({ json: { auth2FToken: 'too old' } }), {
    times: 1,
  });
  const expired = { reason: 'AUTH2F_EXPIRED', message: 'The sign-in took too long.' };
  await page.route('**/api/auth/auth2F', route => route.fulfill({ status: 401, json: expired }));
  await page.getByRole('button', { name: 'Save' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  const password = again.getByLabel('Password', { exact: true });
  await password.fill(developer.password);
  await page.keyboard.press('Enter');
  await again.getByLabel('Authenticator code').fill('123456');
  await page.keyboard.press('Enter');
  await expect(again.getByText('AUTH2F_EXPIRED')).toBeVisible();
  await expect(password).toBeVisible();
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(again).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('Typed before');
});

test('one Esc does not close the recovery codes', async ({ page, developer, expectRefused }) => {
  expectRefused('400 POST /api/auth/verifyAuth2F');
  await page.goto('/account');
  await page.getByRole('button', { name: /Turn on/ }).click();
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(developer.password);
  await page.keyboard.press('Enter');
  const shown = await page.getByRole('button', { name: 'Copy secret' }).locator('..').innerText();
  const secret = Secret.fromBase32(/[A-Z2-7]{32}/.exec(shown)?.[0] ?? '');
  const code = page.getByRole('textbox', { name: 'Code' });
  // A wrong code at any time.
  await code.fill(new TOTP({ secret }).generate({ timestamp: 0 }));
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('This code is not valid.')).toHaveCount(1);
  await expect(code).toBeFocused();
  await code.fill(new TOTP({ secret }).generate());
  const codes = page.getByRole('heading', { name: 'Save your recovery codes' });
  await expect(codes).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Close without saving the codes?' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to the codes' }).click();
  await expect(codes).toBeVisible();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(codes).toHaveCount(0);
});

test('a wrong old password is reported at its field, and the reset link keeps the address', async ({
  page,
  developer,
  expectRefused,
}) => {
  expectRefused('403 POST /api/auth/passwordChange');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Change password' }).click();
  const old = page.getByLabel('Current password', { exact: true });
  await old.fill('not the old one');
  await page.getByLabel('New password', { exact: true }).fill('an entirely new horse 9');
  await page.keyboard.press('Enter');
  await expect(old).toHaveAttribute('aria-invalid', 'true');
  await expect(old).toHaveAccessibleDescription(/WRONG_PASSWORD/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await signOut(page);
  // The account has a panel about e-mails.
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel('E-mail').fill(developer.email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByLabel('E-mail')).toHaveValue(developer.email);
});

test('the account shows what its organization requires, and offers support staff nothing they may not do', async ({
  page,
  developer: _,
}) => {
  let more: object = { auth2FRequired: true };
  await page.route('**/api/developers/*', async route => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...more } });
  });
  await page.goto('/account');
  await expect(page.getByText('you cannot open a project until it is on.')).toBeVisible();
  const offered = [/Turn on/, 'Change password', 'Edit profile'];
  for (const name of offered) await expect(page.getByRole('button', { name })).toBeVisible();
  more = { sudoer: 'support@mooring.example' };
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible();
  await expect(page.getByText('Protects you if your password is stolen.')).toBeVisible();
  for (const name of offered.slice(0, 2)) await expect(page.getByRole('button', { name })).toHaveCount(0);
});

test('a row that does not exist leads to its list', async ({ page, project, expectRefused }) => {
  expectRefused(/^404 GET .*[/_]none(\/state)?$/);
  const base = `/projects/${project.id}`;
  const places = [
    ['devices/dev_none', 'Device dev_none does not exist.', /^Go to .*devices/],
    ['apps/none', 'App none does not exist.', 'Go to user clients'],
    ['other_clients/key_none', 'Key key_none does not exist.', 'Go to other clients'],
    ['channels/chn_none', 'Channel chn_none does not exist.', 'Go to channels'],
    ['users/usr_none', 'User usr_none does not exist.', 'Go to users'],
    ['email_templates/none', 'Email template not found.', /^Go to .*user auth/],
  ] as const;
  for (const [path, title, link] of places) {
    await page.goto(`${base}/${path}`);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: link }).click();
    await expect(page).not.toHaveURL(new RegExp(`/${path}$`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});

test('a support session is shown on every screen, at any scroll position and width', async ({
  page,
  developer: _,
}) => {
  await page.route('**/api/developers/*', async route => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), sudoer: 'anna@support.example' },
    });
  });
  const band = page.getByRole('region', { name: 'Support session' });
  const bar = page.getByRole('banner').getByRole('button').last();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 500 });
    await page.goto('/account');
    await expect(band).toContainText('anna@support.example is acting as');
    await page.getByRole('region', { name: 'Sessions' }).hover();
    await page.mouse.wheel(0, 5_000);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
    await expect(band).toBeInViewport({ ratio: 1 });
    await expect(bar).toBeInViewport({ ratio: 1 });
    // The button is beside the text, not below it.
    const [words, end] = [band.getByText('is acting as'), band.getByRole('button', { name: 'End' })];
    const boxes = await Promise.all([words.boundingBox(), end.boundingBox()]);
    expect((boxes[0]?.x ?? 0) + (boxes[0]?.width ?? 0)).toBeLessThanOrEqual(boxes[1]?.x ?? 0);
  }
  await expectAccessible(page);
});
