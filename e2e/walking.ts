import { expect, type Page } from '@playwright/test';

/** The paths of all screens of an item, from the router of the page. */
export function screensOfItems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Routes = Record<string, { fullPath: string; options: { component?: unknown } }>;
    const { routesById } = (window as unknown as { __TSR_ROUTER__: { routesById: Routes } }).__TSR_ROUTER__;
    const screens = Object.values(routesById).filter(({ options }) => options.component);
    return [...new Set(screens.map(({ fullPath }) => fullPath).filter(path => path.includes('$')))];
  });
}

const underWay = new WeakMap<Page, Set<unknown>>();
const reads = (page: Page): number => underWay.get(page)?.size ?? 0;

/** Notes the calls of the page that have no answer yet. */
export function countReads(page: Page): void {
  const calls = new Set<unknown>();
  underWay.set(page, calls);
  page.on('request', request => request.url().includes('/api/') && calls.add(request));
  page.on('requestfinished', request => calls.delete(request));
  page.on('requestfailed', request => calls.delete(request));
}

/** Waits until nothing is being read, and what is on screen no longer changes. */
export async function settled(page: Page): Promise<void> {
  let before: string | undefined;
  const isSettled = async () => {
    const now = JSON.stringify(await seen(page));
    const isSame = now === before;
    before = now;
    return isSame && reads(page) === 0;
  };
  await expect.poll(isSettled, { intervals: [60] }).toBe(true);
}

/** Opens a screen of the console that runs, as a link or Back would. */
export async function open(page: Page, address: string): Promise<void> {
  await page.evaluate(to => window.history.pushState({}, '', to), address);
  await page.waitForFunction(() => {
    const { state } = (window as unknown as { __TSR_ROUTER__: { state: { status: string } } }).__TSR_ROUTER__;
    return state.status === 'idle';
  });
  await page.locator('main h1').waitFor();
}

/** The texts about the kitchen, the controls and the dialogs on screen. */
export function seen(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = <E extends HTMLElement>(selector: string) => [...document.querySelectorAll<E>(selector)];
    const leaves = all('main *, dialog *').filter(({ children }) => children.length === 0);
    const values = all<HTMLInputElement>('input, textarea').map(({ value }) => value);
    const controls = all('main :is(button, input, textarea, select), dialog');
    return [
      ...[...leaves.map(({ textContent }) => textContent), ...values].filter(text =>
        text.includes('kitchen'),
      ),
      ...controls.map(one => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent}`),
    ].map(text => text.replaceAll('attic', '…'));
  });
}

/** Presses everything that opens a form or more in the panels of the screen; runs in the page. */
export function openPanels(): string[] {
  const pressed = new Set<string>();
  for (let at = 0; at < 5; at += 1)
    for (const button of document.querySelectorAll<HTMLButtonElement>('main button')) {
      const name = button.getAttribute('aria-label') ?? button.innerText;
      const opens = /^(Edit|Set desired|QR$|Pause$)/.test(name) || button.ariaExpanded === 'false';
      if (!opens || button.ariaHasPopup || pressed.has(name) || button.disabled) continue;
      pressed.add(name);
      button.click();
    }
  return [...pressed];
}

/** What the head of the screen can do: in its menu, and the button that adds an item to a list. */
export async function actionsOf(page: Page): Promise<string[]> {
  const adds = await page
    .getByRole('main')
    .getByRole('button', { name: /^(Add|Create|New|Invite|Send command|Rotate) ?\w+/ })
    .evaluateAll(all => all.map(one => one.getAttribute('aria-label') ?? one.textContent.trim()));
  const more = page.getByRole('main').getByRole('button', { name: 'More actions' });
  if ((await more.count()) === 0) return adds;
  await more.click();
  const names = await page.getByRole('menuitem').allTextContents();
  await page.keyboard.press('Escape');
  return [...new Set([...adds, ...names])];
}

export async function act(page: Page, name: string): Promise<void> {
  const main = page.getByRole('main');
  const button = main.getByRole('button', { name, exact: true });
  if (await button.count()) return button.first().click();
  await main.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}
