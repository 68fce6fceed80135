import { createDeviceClass } from '#contract/deviceClass.ts';
import { reasons } from '#contract/problem.ts';
import { nameMax } from '#contract/shapes.ts';
import { expect, test } from './world.ts';

test('a refusal for too many attempts says how long to wait, in words', async ({ page }) => {
  const [status, message] = reasons.TOO_MANY_REQUESTS;
  const json = { reason: 'TOO_MANY_REQUESTS', message, requestId: 'req_1' };
  await page.route('**/api/auth/password', route =>
    route.fulfill({ status, headers: { 'retry-after': '20' }, json }),
  );
  await page.goto('/login');
  await page.getByLabel('E-mail').fill('grace@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a guess');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Too many requests. Try again in 20 seconds.')).toBeVisible();
});

test('a failed verification is not blamed on its link if the server is at fault', async ({ page }) => {
  await page.route('**/api/auth/verification', route => route.fulfill({ status: 400 }));
  await page.goto('/verify?token=any');
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Your e-mail could not be verified');
  await expect(page.getByText('DISABLED')).toBeVisible();
  await page.unroute('**/api/auth/verification');
  await page.reload();
  await expect(title).toHaveText('This link does not work');
  await expect(page.getByText('INVALID_LINK')).toBeVisible();
});

test('a list that could not be loaded says which one, with its own code', async ({ page, project }) => {
  await page.route(`**/api/projects/${project.id}/deviceClasses?*`, route => route.fulfill({ status: 400 }));
  await page.goto(`/projects/${project.id}/device_classes`);
  await expect(page.getByText('DEVICE_CLASSES_NOT_LOADED')).toBeVisible();
});

test('pasted text that is too long is kept whole, and reported as too long', async ({ page, project }) => {
  await page.goto(`/projects/${project.id}/settings`);
  await page.getByRole('button', { name: 'Edit overview' }).click();
  const name = page.getByLabel('Name');
  const pasted = 'x'.repeat(nameMax + 1);
  await name.fill('');
  await name.evaluate((field, text) => {
    field.focus();
    document.execCommand('insertText', false, text);
  }, pasted);
  await expect(name).toHaveValue(pasted);
  await expect(page.getByText(`${nameMax + 1} of ${nameMax} characters`)).toBeVisible();
});

test('all errors of a new account are shown at once', async ({ page }) => {
  await page.goto('/signup');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada@');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await expect(page.getByText('This is not an e-mail address.')).toBeVisible();
  await expect(page.getByText('This is too short.')).toBeVisible();
  await expect(page.getByText('At least 8 characters')).toBeVisible();
});

test('an invalid value says what is valid, and an editor gets the focus like any field', async ({
  page,
  developer,
  project,
}) => {
  await page.goto(`/projects/${project.id}/device_classes#new`);
  const id = page.getByRole('dialog').getByLabel('Id');
  await id.fill('my lamp!');
  await page.keyboard.press('Enter');
  await expect(id).toBeFocused();
  await expect(id).toHaveAccessibleDescription(/expected format.*Letters and digits, with - or _ in between/);
  const params = { projectId: project.id };
  await developer.client.call(createDeviceClass, { params, body: { id: 'lamp' } });
  await page.goto(`/projects/${project.id}/device_classes/lamp/advanced#new`);
  await page.getByRole('textbox', { name: 'Key' }).fill('interval');
  const value = page.getByRole('textbox', { name: 'Value' });
  await value.click();
  await page.keyboard.type('null');
  await page.getByRole('dialog').getByRole('button', { name: 'Create pair' }).click();
  await expect(page.getByText('NULL_VALUE')).toBeVisible();
  await expect(value).toBeFocused();
  await expect(value).toHaveAttribute('aria-invalid', 'true');
});

test('a refusal shows the server’s message at its field, not only the general sentence of its reason', async ({
  page,
  project,
}) => {
  const message = 'This name has more than 12 characters.';
  const json = { reason: 'TOO_LARGE', message, fields: { name: 'TOO_LARGE' }, requestId: 'req_1' };
  await page.route(`**/api/projects/${project.id}`, route =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 413, json }) : route.fallback(),
  );
  await page.goto(`/projects/${project.id}/settings`);
  await page.getByRole('button', { name: 'Edit overview' }).click();
  await page.getByLabel('Name').fill('Reserved');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription(`${message} TOO_LARGE`);
});
