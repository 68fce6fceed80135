import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, test as base, expect, type Page, type Response } from '@playwright/test';
import type { Role } from '#contract/endpoint.ts';
import { createProject, type Project } from '#contract/project.ts';
import { addMember } from '#contract/team.ts';
import { type Newcomer, newcomer } from '#test/newcomer.ts';
import type { ServerProcess } from '#test/serverProcess.ts';
import { type Once, onceForWorker, startPlatform } from './platform.ts';

export { expect } from '@playwright/test';

interface World {
  /** Whether a new developer gets the sample project; creating it takes as long as everything else together. */
  sampleProject: 'on' | 'off';
  /** A server with its own database, which the tests of a worker share. */
  platform: ServerProcess;
  expected: Refusal[];
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
   * Fails the test if the browser logs an error or a warning, or if the server refuses or fails a call that the journey
   * has not named by `expectRefused`, in any window of the same browser. `page` is already watched.
   */
  watch: (page: Page) => void;
  /** The calls that this journey makes the server refuse from here on. */
  expectRefused: (...calls: Refusal[]) => void;
}

/** Calls like `404 GET /api/devices/*`, where `*` stands for one id or word, or a pattern for such lines. */
type Refusal = string | RegExp;

/** Sandboxed frames log what they block, including scripts that these tests add to every frame. */
const sandboxed =
  /^Blocked (script execution in '(about:|.*\/outbox\/)|opening 'https:)|The document is sandboxed and lacks the 'allow-same-origin' flag/;

let count = 0;
/** An address that nothing else in this run uses. */
export function anEmail(word = 'dev'): string {
  count += 1;
  return `${word}-${process.pid}-${count}@example.com`;
}

/** Tests on the real platform. What a worker sets up only once is no fixture of a worker, see `onceForWorker`. */
export const test = base.extend<World, { once: Once }>({
  once: [onceForWorker, { scope: 'worker' }],
  sampleProject: ['off', { option: true }],
  platform: [
    async ({ once, sampleProject }, use) =>
      use(await once(`platform, sample ${sampleProject}`, atEnd => startPlatform(sampleProject, atEnd))),
    { timeout: 60_000 },
  ],
  baseURL: ({ platform }, use) => use(platform.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture from its first parameter
  expected: ({}, use) => use([]),
  expectRefused: ({ expected }, use) => use((...calls) => void expected.push(...calls)),
  watch: async ({ expected }, use) => {
    const complaints: string[] = [];
    const contexts = new Set<BrowserContext>();
    const refusals: Promise<{ call: string; named: number } | undefined>[] = [];
    await use(page => {
      page.on('pageerror', error => {
        if (!sandboxed.test(error.message)) complaints.push(error.message);
      });
      page.on('console', message => {
        const text = message.text();
        // The browser also logs 4xx answers, which cannot be turned off; those are compared below.
        const refused = /(Failed to load resource.*status of|Unexpected response code:) 4\d\d/.test(text);
        const ours = !refused && !sandboxed.test(text);
        if (['error', 'warning'].includes(message.type()) && ours) complaints.push(text);
      });
      if (contexts.has(page.context())) return;
      contexts.add(page.context());
      page.context().on('response', answer => {
        const named = expected.length;
        refusals.push(refusalOf(answer).then(call => (call === undefined ? undefined : { call, named })));
      });
    });
    expect(complaints, 'the browser complained').toEqual([]);
    const refused = (await Promise.all(refusals)).filter(refusal => refusal !== undefined);
    const patterns = expected.map(patternOf);
    const isExpected = ({ call, named }: (typeof refused)[number]) =>
      patterns.slice(0, named).some(pattern => pattern.test(call));
    const unexpected = refused.filter(refusal => !isExpected(refusal)).map(({ call }) => call);
    expect(unexpected, 'the server refused what the journey does not expect').toEqual([]);
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

/**
 * A call that this platform refused or failed, like `409 POST /api/devices`. What a journey answers itself has not come
 * from a server.
 */
async function refusalOf(answer: Response): Promise<string | undefined> {
  if (answer.status() < 400 || !(await answer.serverAddr())) return undefined;
  return `${answer.status()} ${answer.request().method()} ${new URL(answer.url()).pathname}`;
}

function patternOf(refusal: Refusal): RegExp {
  if (typeof refusal !== 'string') return refusal;
  return new RegExp(`^${refusal.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`);
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
