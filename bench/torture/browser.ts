import { existsSync } from 'node:fs';
import { type BrowserContext, chromium } from '@playwright/test';
import type { Newcomer } from '#test/newcomer.ts';

const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** A separate browser with a signed-in developer. The console must be built. */
export async function signedIn(
  baseURL: string,
  { cookies, developer, session }: Newcomer,
): Promise<{ context: BrowserContext; close: () => Promise<void> }> {
  const executablePath = process.env.CHROMIUM ?? places.find(path => existsSync(path));
  const args = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'];
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args });
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 1000 } });
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: baseURL })));
  const kept = JSON.stringify({ developer, ...session, lastUsed: Date.now() });
  await context.addInitScript(text => localStorage.setItem('mooring.session', text), kept);
  return { context, close: () => browser.close() };
}
