import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import type { Newcomer } from '#test/newcomer.ts';
import config from '../../playwright.config.ts';

/** The browser of the journeys. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(config.use?.launchOptions);

/** A separate browser with a signed-in developer. The console must be built. */
export async function signedIn(
  baseURL: string,
  who: Newcomer,
): Promise<{ context: BrowserContext; close: () => Promise<void> }> {
  const browser = await launchBrowser();
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 1000 } });
  await signIn(context, baseURL, who);
  return { context, close: () => browser.close() };
}

export async function signIn(
  context: BrowserContext,
  url: string,
  { cookies, developer, session }: Newcomer,
): Promise<void> {
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
  const kept = JSON.stringify({ developer, ...session, lastUsed: Date.now() });
  await context.addInitScript(text => localStorage.setItem('mooring.session', text), kept);
}
