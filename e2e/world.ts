import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, test as base, expect, type Page, type Response } from '@playwright/test';
import type { Role } from '#contract/endpoint.ts';
import { createProject, type Project } from '#contract/project.ts';
import { addMember } from '#contract/team.ts';
import { type Newcomer, newcomer } from '#test/newcomer.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';

export { expect } from '@playwright/test';

interface World {
  expected: (string | RegExp)[];
  /** A developer for this test alone, signed in in `page`. */
  developer: Newcomer;
  /** Signs in a developer in another browser context. */
  signIn: (context: BrowserContext, who: Newcomer) => Promise<void>;
  /** A page in a separate browser, where this developer is signed in. */
  open: (who: Newcomer) => Promise<Page>;
  /** Another member in the team of one of `developer`'s projects. */
  aMember: (project: Project, role: Role, name?: string) => Promise<Newcomer>;
  aProject: (name?: string) => Promise<Project>;
  /** A project of `developer`. */
  project: Project;
  /**
   * Fails the test if the browser logs an error or a warning, if a read is refused, or if the server fails. `page` is
   * already watched.
   */
  watch: (page: Page) => void;
  /** This journey reads what is refused: a part of `404 GET /api/devices/dev_1`, or a pattern. */
  expectRefused: (call: string | RegExp) => void;
}

/** Sandboxed frames log what they block, including scripts that these tests add to every frame. */
const sandboxed =
  /^Blocked (script execution in '(about:|.*\/outbox\/)|opening 'https:)|The document is sandboxed and lacks the 'allow-same-origin' flag/;

let count = 0;
/** An address that nothing else in this run uses. */
export function anEmail(word = 'dev'): string {
  count += 1;
  return `${word}-${process.pid}-${count}@example.com`;
}

/** Tests on the real platform: each worker has one server with its own database. */
export const test = base.extend<World, { platform: ServerProcess; sampleProject: 'on' | 'off' }>({
  /** Whether a new developer gets the sample project; creating it takes as long as everything else together. */
  sampleProject: ['off', { option: true, scope: 'worker' }],
  platform: [
    async ({ sampleProject }, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'mooring-e2e-'));
      const port = String(await freePort());
      const server = await startMooring({
        DATA_DIR: dataDir,
        PORT: port,
        // The host that the browser uses: a provider redirects back to it, and cookies are only valid for this host.
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
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture from its first parameter
  expected: ({}, use) => use([]),
  expectRefused: ({ expected }, use) => use(call => expected.push(call)),
  watch: async ({ expected }, use) => {
    const complaints: string[] = [];
    const refusals: Promise<string | undefined>[] = [];
    await use(page => {
      page.on('pageerror', error => {
        if (!sandboxed.test(error.message)) complaints.push(error.message);
      });
      page.on('console', message => {
        const text = message.text();
        // The browser also logs 4xx answers, which cannot be turned off. Failures of the server still count.
        const refused = /(Failed to load resource.*status of|Unexpected response code:) 4\d\d/.test(text);
        const ours = !refused && !sandboxed.test(text);
        if (['error', 'warning'].includes(message.type()) && ours) complaints.push(text);
      });
      page.on('response', answer => {
        refusals.push(refusalOf(answer));
      });
    });
    expect(complaints, 'the browser complained').toEqual([]);
    const isExpected = (call: string) =>
      expected.some(one => (typeof one === 'string' ? call.includes(one) : one.test(call)));
    const refused = (await Promise.all(refusals)).filter(call => call !== undefined);
    const unexpected = refused.filter(call => !isExpected(call));
    expect(unexpected, 'the console read what the server refuses').toEqual([]);
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
  // Only once, because the tests check what the console does with the session later.
  await context.addInitScript(text => {
    // A blank page has no storage.
    if (!location.protocol.startsWith('http') || sessionStorage.getItem('signed in by the test')) return;
    sessionStorage.setItem('signed in by the test', 'yes');
    localStorage.setItem('mooring.session', text);
  }, kept);
}

/** An id that exists nowhere: a journey that opens the address of such an item looks at its refusal. */
const nowhere = /(^|[/_])(gone|none)(\/|$)/;

/** What a read is refused for without a fault: the session has ended, it may not see this, or it is gone meanwhile. */
const mayMeet = new Set([401, 403, 404]);

/**
 * A call of the console whose refusal is a fault of the console: a read of what cannot be asked for, such as one with an
 * empty id, and any failure of the server. A refused change is the answer to what the journey entered, and the journey looks for its reason on the screen. What a journey
 * answers itself has not come from a server.
 */
async function refusalOf(answer: Response): Promise<string | undefined> {
  const { pathname } = new URL(answer.url());
  const method = answer.request().method();
  const status = answer.status();
  const isFault = status >= 500 || (method === 'GET' && status >= 400 && !mayMeet.has(status));
  if (!isFault || !pathname.startsWith('/api/') || nowhere.test(pathname)) return undefined;
  return (await answer.serverAddr()) ? `${status} ${method} ${pathname}` : undefined;
}

/** Cuts the live link, so that others' changes are noticed only when a save is refused. */
export const deaf = (page: Page): Promise<void> => page.routeWebSocket('**/live', () => undefined);

/**
 * What a button copies to the clipboard. The text arrives a moment after the press, so the clipboard is cleared and
 * polled.
 */
export async function copied(page: Page, press: () => Promise<void>): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await press();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe('');
  return read();
}

const axeSource = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');

/** The violations that axe finds in the page. Frames are excluded, because e-mails in them have other authors. */
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
 * Expects no axe violations in both themes. axe runs in the page itself and without frames, which takes a fifth of the
 * time of its driver.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Only colors differ between the two themes.
    const rules = colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined;
    // A screen that is just replacing another has no heading yet.
    await expect.poll(() => page.evaluate(violations, rules), `axe, ${colorScheme}`).toEqual([]);
  }
}

/** Expects no sideways scrolling. Polls, because changes due to the width are drawn a moment later. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBeLessThanOrEqual(0);
}
