import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import type { Role } from '#contract/endpoint.ts';
import { addMember } from '#contract/member.ts';
import { createProject, type Project } from '#contract/project.ts';
import { type Newcomer, newcomer } from '#test/newcomer.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';

export { expect } from '@playwright/test';

interface World {
  /** A developer nobody else uses, signed in in `page`. */
  developer: Newcomer;
  /** Signs a developer in in a context of its own. */
  signIn: (context: BrowserContext, who: Newcomer) => Promise<void>;
  /** A page in a browser of its own, where they are signed in. */
  open: (who: Newcomer) => Promise<Page>;
  /** Somebody else, in the team of a project of `developer`'s. */
  aMember: (project: Project, role: Role, name?: string) => Promise<Newcomer>;
  aProject: (name?: string) => Promise<Project>;
  /** One of `developer`'s. */
  project: Project;
  /** Fails the test for what a browser complains about. `page` is watched already. */
  watch: (page: Page) => void;
}

/** A frame without scripts, or with an origin of its own, says what it refuses; also what these tests put into every frame. */
const sandboxed =
  /^Blocked (script execution in '(about:|.*\/outbox\/)|opening 'https:)|The document is sandboxed and lacks the 'allow-same-origin' flag/;

let count = 0;
/** An address nobody else in this run uses. */
export function anEmail(word = 'dev'): string {
  count += 1;
  return `${word}-${process.pid}-${count}@example.com`;
}

/** Journeys on the real platform: one server with a database of its own for each worker. */
export const test = base.extend<World, { platform: ServerProcess; sampleProject: 'on' | 'off' }>({
  /** Whether a new developer has one; it takes as long to make as all the rest. */
  sampleProject: ['off', { option: true, scope: 'worker' }],
  platform: [
    async ({ sampleProject }, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'mooring-e2e-'));
      const port = String(await freePort());
      const server = await startMooring({
        DATA_DIR: dataDir,
        PORT: port,
        // Where the browser is: a provider sends it back to here, and its cookies are of this host alone.
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        ALLOW_PRIVATE_TARGETS: '127.0.0.1',
        MQTT_PORT: '0',
        SAMPLE_PROJECT: sampleProject,
      });
      await use(server);
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ platform }, use) => use(platform.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its first parameter
  watch: async ({}, use) => {
    const complaints: string[] = [];
    await use(page => {
      page.on('pageerror', error => {
        if (!sandboxed.test(error.message)) complaints.push(error.message);
      });
      page.on('console', message => {
        const text = message.text();
        // A refused call is an answer; that the browser logs it is not ours to change. A failure of the server is.
        const refused = /(Failed to load resource.*status of|Unexpected response code:) 4\d\d/.test(text);
        const ours = !refused && !sandboxed.test(text);
        if (['error', 'warning'].includes(message.type()) && ours) complaints.push(text);
      });
    });
    expect(complaints, 'the browser complained').toEqual([]);
  },
  page: async ({ page, watch }, use) => {
    watch(page);
    await use(page);
  },
  signIn: ({ platform }, use) => use((context, who) => signIn(platform.url, context, who)),
  open: async ({ browser, platform, watch }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async who => {
      const context = await browser.newContext({ baseURL: platform.url });
      contexts.push(context);
      await signIn(platform.url, context, who);
      const page = await context.newPage();
      watch(page);
      return page;
    });
    for (const context of contexts) await context.close();
  },
  aProject: ({ developer }, use) =>
    use((name = 'Nordlys Home') => developer.client.call(createProject, { body: { name } })),
  project: async ({ aProject }, use) => use(await aProject()),
  aMember: ({ developer, platform }, use) =>
    use(async ({ id: projectId }, role, name = 'Grace Hopper') => {
      const who = await newcomer(platform.url, anEmail(role), name);
      await developer.client.call(addMember, { params: { projectId }, body: { email: who.email, role } });
      return who;
    }),
  developer: async ({ platform, context }, use) => {
    const who = await newcomer(platform.url, anEmail());
    await signIn(platform.url, context, who);
    await use(who);
  },
});

async function signIn(url: string, context: BrowserContext, who: Newcomer): Promise<void> {
  await context.addCookies([...who.cookies].map(([name, value]) => ({ name, value, url })));
  const { ttl, expiresAt } = who.session;
  const kept = JSON.stringify({ developer: who.developer, ttl, expiresAt, lastUsed: Date.now() });
  // Once: what the console does with it later is what is tested.
  await context.addInitScript(text => {
    // A page that is no address of ours yet has no storage.
    if (!location.protocol.startsWith('http') || sessionStorage.getItem('signed in by the test')) return;
    sessionStorage.setItem('signed in by the test', 'yes');
    localStorage.setItem('mooring.session', text);
  }, kept);
}

/** Cuts the live link, so that a change by others is known only once a save is refused. */
export const deaf = (page: Page): Promise<void> => page.routeWebSocket('**/live', () => undefined);

/** What a button of the page puts on the clipboard: it is there a moment after the press, and something else until then. */
export async function copied(page: Page, press: () => Promise<void>): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await press();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe('');
  return read();
}

const axeSource = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe finds in the page. A mail in a frame is its author's. */
async function violations(rules: string[] | undefined): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import('axe-core') };
  const found = await axe.run(
    { exclude: ['iframe'] },
    { iframes: false, resultTypes: ['violations'], ...(rules && { runOnly: rules }) },
  );
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/**
 * No violation that axe can find, in both themes. It runs in the page itself, without a look into frames: a fifth of the
 * time that its driver takes.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Only colours differ between the two.
    const rules = colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined;
    // A screen that is just taking the place of another has no heading yet.
    await expect.poll(() => page.evaluate(violations, rules), `axe, ${colorScheme}`).toEqual([]);
  }
}

/** Nothing is to be scrolled to sideways, however narrow the screen; what the width changes is drawn a moment later. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBeLessThanOrEqual(0);
}
