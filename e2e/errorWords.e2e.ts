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

test('a verification that the server could not do is not blamed on its link', async ({ page }) => {
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

test('a list that could not be loaded says which, by a code of its own', async ({ page, project }) => {
  await page.route(`**/api/projects/${project.id}/deviceClasses?*`, route => route.fulfill({ status: 400 }));
  await page.goto(`/projects/${project.id}/device_classes`);
  await expect(page.getByText('DEVICE_CLASSES_NOT_LOADED')).toBeVisible();
});

test('pasted text that is too long is kept whole, and told to be', async ({ page, project }) => {
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
