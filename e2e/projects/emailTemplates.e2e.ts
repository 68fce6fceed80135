import type { Page } from '@playwright/test';
import { editEmailTemplate, readEmailTemplate } from '#contract/emailTemplate.ts';
import { createProject } from '#contract/project.ts';
import { type Newcomer, newestMail } from '#test/newcomer.ts';
import { expect, expectAccessible, test } from '../world.ts';

async function open(page: Page, developer: Newcomer, templateId = 'user-invite') {
  const { id } = await developer.client.call(createProject, { body: { name: 'Nordlys Home' } });
  const params = { projectId: id, templateId };
  await page.goto(`/projects/${id}/email_templates/${templateId}`);
  await expect(page.getByRole('textbox', { name: 'Body' })).toBeVisible();
  return params;
}

const mail = (page: Page) => page.frameLocator('iframe').frameLocator('iframe').locator('body');
const at = (page: Page, name: 'Subject' | 'Body') => page.getByRole('textbox', { name });

async function replaceText(page: Page, name: 'Subject' | 'Body', text: string): Promise<void> {
  await at(page, name).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

test('a template is edited, previewed, sent as a test, saved and reverted', async ({
  page,
  developer,
  platform,
}) => {
  await open(page, developer);
  await expect(mail(page)).toContainText('You are invited to Nordlys Home');
  await expect(mail(page).getByRole('link', { name: 'Accept invitation' })).toHaveCSS(
    'background-color',
    /./,
  );
  await expectAccessible(page);

  await replaceText(page, 'Subject', 'Welcome aboard, {{ user.name }}');
  await replaceText(page, 'Body', '<p style="color: rgb(1, 2, 3)">Come in, {{ user.name }}</p>');
  await expect(page.getByText('Welcome aboard, Ada Lovelace')).toBeVisible();
  await expect(mail(page).getByText('Come in, Ada Lovelace')).toHaveCSS('color', 'rgb(1, 2, 3)');
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(page.locator('pre', { hasText: 'Come in, Ada Lovelace' })).toBeVisible();
  await page.getByRole('button', { name: 'HTML', exact: true }).click();

  await page.getByRole('button', { name: 'Send test to yourself' }).click();
  await expect(page.getByText(`Sent to ${developer.email}`)).toBeVisible();
  expect((await newestMail(platform.url, developer.email))?.subject).toBe('Welcome aboard, Ada Lovelace');

  // Text typed during a save stays for the next save.
  const asked = Promise.withResolvers<void>();
  const mayGo = Promise.withResolvers<void>();
  await page.route('**/emailTemplates/user-invite', async route => {
    if (route.request().method() !== 'GET') asked.resolve();
    await mayGo.promise;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await asked.promise;
  await at(page, 'Subject').click();
  await page.keyboard.press('End');
  await page.keyboard.insertText('!');
  mayGo.resolve();
  await expect(page.getByText('Template saved')).toBeVisible();
  const again = page.waitForResponse(answer => answer.request().method() === 'PATCH');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await again;
  await page.reload();
  await expect(at(page, 'Subject')).toContainText('Welcome aboard, {{ user.name }}!');

  await page.getByRole('button', { name: 'Changes' }).click();
  await expect(page).toHaveURL(/view=changes/);
  await expect(page.getByText('Come in,').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Revert to default' }).click();
  await expect(
    page.getByText('Do you really want to delete the customization of this template?'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Revert template' }).click();
  await expect(page.getByText('Identical to the default.')).toBeVisible();
  await expect(mail(page)).toContainText('You are invited to Nordlys Home');
});

test('an error is underlined at its position, and a click on it leads there', async ({
  page,
  developer,
  expectRefused,
}) => {
  expectRefused('422 PATCH /api/projects/*/emailTemplates/user-invite');
  await open(page, developer);
  await replaceText(page, 'Body', '<p>Hello</p>\n<p>{{ user.nmae }}</p>\n<script>alert(1)</script>');
  const faults = page.getByRole('region', { name: 'Errors' });
  await expect(faults.getByText('2 errors prevent saving')).toBeVisible();
  await expect(faults.getByText('Did you mean user.name?')).toBeVisible();
  await expect(at(page, 'Body').locator('.cm-lintRange-error')).toHaveText(['user.nmae', '<script']);
  await expect(page.getByText('This is your last draft without errors.')).toBeVisible();
  await expectAccessible(page);

  await faults.getByRole('button', { name: /Line 2, 7/ }).click();
  await page.keyboard.insertText('user.name');
  await expect(faults.getByText('1 error prevents saving')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('INVALID_TEMPLATE')).toBeVisible();
  await faults.getByRole('button', { name: /Line 3, 1/ }).click();
  await page.keyboard.press('Control+Shift+End');
  await page.keyboard.press('Delete');
  await expect(faults.getByRole('button')).toHaveCount(0);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Template saved')).toBeVisible();
});

test('the editor works by keyboard: letters are text, Tab indents, Esc and Tab leave it', async ({
  page,
  developer,
}) => {
  await open(page, developer);
  await at(page, 'Subject').focus();
  await page.keyboard.press('Control+a');
  // Letters that are shortcuts elsewhere, and braces with their suggestions.
  await page.keyboard.type('e c ? ');
  await page.keyboard.type('{{ user.na');
  await expect(page.getByRole('option', { name: /user\.name/ })).toBeVisible();
  // A suggestion that has only just appeared is not accepted, because it may have appeared between two keys.
  await expect(async () => {
    await page.keyboard.press('Enter');
    await expect(at(page, 'Subject')).toContainText('e c ? {{ user.name}}', { timeout: 200 });
  }).toPass();
  await page.keyboard.press('Tab');
  await expect(at(page, 'Body')).toBeFocused();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Tab');
  await expect(at(page, 'Body')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Insert {{ project.name }}' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(at(page, 'Body')).toContainText('{{ project.name }}');
});

test('unsaved changes are asked about, and another’s changes are shown before anything is lost', async ({
  page,
  developer,
}) => {
  const params = await open(page, developer, 'user-password-reset');
  await replaceText(page, 'Subject', 'Mine');
  await page.getByRole('link', { name: 'Nordlys Home' }).first().click();
  await expect(page.getByRole('dialog')).toContainText('Leave without saving?');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(at(page, 'Subject')).toContainText('Mine');

  await developer.client.call(editEmailTemplate, { params, body: { subject: 'Theirs' } });
  await expect(page.getByText('This page may contain stale information. Please reload.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'View changes' }).click();
  await expect(page.getByRole('dialog')).toContainText('Theirs');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Keep my draft' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Template saved')).toBeVisible();
  expect((await developer.client.call(readEmailTemplate, { params })).subject).toBe('Mine');

  // Without unsaved changes, the other's change appears by itself.
  await developer.client.call(editEmailTemplate, { params, body: { subject: 'Theirs again' } });
  await expect(at(page, 'Subject')).toContainText('Theirs again');
});

test('nothing in an e-mail runs in the preview, and no link in it leads away', async ({
  page,
  developer,
}) => {
  await open(page, developer);
  await replaceText(
    page,
    'Body',
    '<p>Before</p><a href="https://example.com/elsewhere">Away</a><a href="{{ link.url }}">On</a>',
  );
  await expect(mail(page)).toContainText('Before');
  await mail(page).getByRole('link', { name: 'Away' }).press('Enter');
  await expect(mail(page)).toContainText('Before');
  const [, outer] = page.frames();
  await expect(outer?.evaluate(() => document.cookie)).rejects.toThrow(/sandboxed/);
});

test('a template that does not exist says so', async ({ page, developer, expectRefused }) => {
  expectRefused('404 GET /api/projects/*/emailTemplates/nothing');
  const { id } = await developer.client.call(createProject, { body: { name: 'Nordlys Home' } });
  await page.goto(`/projects/${id}/email_templates/nothing`);
  await expect(page.getByText('Email template not found.')).toBeVisible();
  await expectAccessible(page);
});
