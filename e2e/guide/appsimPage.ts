import type { Page } from '@playwright/test';
import { newestMail } from '#test/newcomer.ts';
import { expect } from '../world.ts';

/** Opens the link in the newest e-mail to an address in a new window. */
export async function openLink(page: Page, url: string, email: string): Promise<Page> {
  const { text = '' } = (await newestMail(url, email)) ?? {};
  const link = new URL(/https?:\/\/[^\s)]+/.exec(text)?.[0] ?? '');
  const mail = await page.context().newPage();
  await mail.goto(link.pathname + link.search);
  return mail;
}

/** The code in the newest e-mail to an address. */
export async function newestCode(url: string, email: string): Promise<string> {
  return /\b\d{6}\b/.exec((await newestMail(url, email))?.text ?? '')?.[0] ?? '';
}

/** Registers a user on the phone with the link from the e-mail. */
export async function registerOn(page: Page, url: string, email?: string): Promise<string> {
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Fill in a made-up user' }).click();
  if (email !== undefined) await page.getByLabel('E-mail').fill(email);
  const address = await page.getByLabel('E-mail').inputValue();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('link', { name: 'Open the outbox' })).toHaveAttribute('href', '/outbox');
  const mail = await openLink(page, url, address);
  await mail.getByRole('button').first().click();
  await expect(mail.getByRole('heading', { level: 1 })).toBeVisible();
  await mail.close();
  await page.getByRole('button', { name: 'I followed the link' }).click();
  await expect(page.getByText('Signed in', { exact: true })).toBeVisible();
  return address;
}
