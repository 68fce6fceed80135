import type { Page } from '@playwright/test';
import { createApp } from '#contract/app.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { createProject } from '#contract/project.ts';
import { type Newcomer, newcomer } from '#test/newcomer.ts';
import { anOidcProvider, type OidcProvider } from '#test/oidcProvider.ts';
import { type Items, itemsNamed } from './pairs.ts';
import { act, actionsOf, countReads, open, openPanels, screensOfItems, seen, settled } from './walking.ts';
import { anEmail, test as base, expect } from './world.ts';

/** Two items of each noun. Every text of the one contains "kitchen", and of the other "attic". */
interface Pairs {
  who: Newcomer;
  kitchen: Items;
  attic: Items;
  /** A project without items; all of the above are in one. */
  other: Items;
}

const test = base.extend<{ refused: string[]; pairs: Pairs }>({
  pairs: [
    async ({ once, platform }, use) =>
      use(
        await once('pairs', async atEnd => {
          const provider = await anOidcProvider();
          atEnd(() => provider.end());
          return pairsOn(platform.url, provider);
        }),
      ),
    { timeout: 60_000 },
  ],
  /** The calls of the page that the server refused. */
  refused: async ({ page, context, signIn, pairs }, use) => {
    const refused: string[] = [];
    page.on('response', answer => {
      if (answer.status() >= 400)
        refused.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`);
    });
    countReads(page);
    await signIn(context, pairs.who);
    await use(refused);
    expect(refused).toEqual([]);
  },
});

async function pairsOn(url: string, provider: OidcProvider): Promise<Pairs> {
  const who = await newcomer(url, anEmail());
  provider.register(`${url}/api/userAuth/callback`);
  const project = async (name: string) => (await who.client.call(createProject, { body: { name } })).id;
  const id = await project('House with a kitchen');
  const make = (word: string) => itemsNamed(word, who, { id, url }, provider);
  const kitchen = { ...(await make('kitchen')), templateId: 'user-verification' };
  const attic = { ...(await make('attic')), templateId: 'user-invite' };
  const other = { projectId: await project('House with an attic') };
  // The same ids in another project: calls that name only the id are ambiguous.
  for (const id of ['kitchen', 'attic']) {
    await who.client.call(createDeviceClass, { params: other, body: { id } });
    await who.client.call(createApp, { params: other, body: { id } });
  }
  return { who, kitchen, attic, other };
}

/** The parameters that name the item of a screen. */
const nouns = [
  'projectId',
  'classId',
  'deviceId',
  'componentId',
  'versionId',
  'bundleId',
  'channelId',
  'rolloutId',
  'appId',
  'keyId',
  'routeId',
  'userId',
  'homeId',
  'moduleId',
  'templateId',
  'methodId',
];

for (const noun of nouns)
  test(`what is open for one ${noun.replace('Id', '')} does not stay for another`, async ({
    page,
    pairs: { kitchen, attic, other },
    refused,
  }) => {
    test.slow();
    await page.goto('/projects');
    await page
      .getByRole('link', { name: /kitchen/ })
      .first()
      .waitFor();
    const routes = await screensOfItems(page);
    expect(new Set(routes.map(nounOf))).toEqual(new Set(nouns));
    const another = noun === 'projectId' ? other : attic;
    for (const [at, route] of routes.filter(path => nounOf(path) === noun).entries()) {
      const pair = [addressOf(route, kitchen), addressOf(route, another)] as const;
      const fresh = await walk(page, pair, { withActions: at === 0 || noun === 'projectId' });
      const palette = palettes[noun];
      if (at === 0 && palette) await jump(page, pair[0], palette, fresh);
    }
    expect(refused).toEqual([]);
  });

const nounOf = (route: string) => route.match(/(?<=\$)\w+/g)?.at(-1);

const addressOf = (route: string, items: Items) =>
  route.replace(/\$(\w+)/g, (_, name: string) => items[name] ?? name).replace(/\/$/, '');

/** Where the palette lists the items. */
const palettes: Record<string, string> = {
  deviceId: 'Devices',
  componentId: 'Components',
  bundleId: 'Bundles',
  channelId: 'Channels',
  appId: 'Apps',
  keyId: 'Other clients',
  routeId: 'App Proxy',
  moduleId: 'Smart modules',
  userId: 'Users',
  homeId: 'Homes',
};

/** From the one item to the other by Back, with everything open that the screen of the one can open. */
async function walk(
  page: Page,
  [kitchen, attic]: readonly [string, string],
  { withActions }: { withActions: boolean },
): Promise<string[]> {
  await open(page, attic);
  // The tester of a proxy route answers a moment later, about all routes.
  if (attic.includes('/proxy_routes/')) await page.getByRole('button', { name: 'Send call' }).waitFor();
  await settled(page);
  const fresh = await seen(page);
  // Back also closes a dialog that has an address.
  const arrive = async (what: string) => {
    await expect(async () => {
      if (!page.url().endsWith(attic)) await page.goBack();
      expect(page.url()).toMatch(new RegExp(`${attic}$`));
    }).toPass();
    await expect.poll(() => seen(page), { message: `${kitchen} → ${attic}, ${what}` }).toEqual(fresh);
  };
  await open(page, kitchen);
  await settled(page);
  await page.evaluate(openPanels);
  await settled(page);
  await arrive('forms');
  // The tabs of an item have the same head.
  if (!withActions) return fresh;
  await open(page, kitchen);
  await settled(page);
  for (const name of await actionsOf(page)) {
    await open(page, kitchen);
    await act(page, name);
    await settled(page);
    await arrive(name);
  }
  return fresh;
}

/** The same by the palette, and then away from it by its breadcrumb. */
async function jump(page: Page, kitchen: string, group: string, fresh: readonly string[]): Promise<void> {
  await open(page, kitchen);
  await settled(page);
  await page.evaluate(openPanels);
  // A dialog keeps the keys to itself.
  if (await page.getByRole('dialog').count()) await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('attic');
  await page
    .getByRole('group', { name: group, exact: true })
    .getByRole('option', { name: /attic/ })
    .first()
    .click();
  await expect.poll(() => seen(page), { message: `${kitchen} → ${group}` }).toEqual(fresh);
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').last().click();
  await settled(page);
}

test('what is typed for one device stays with it through everything that happens around it', async ({
  context,
  pairs: { kitchen, attic, who },
  signIn,
}) => {
  await signIn(context, who);
  // Not watched, because the browser logs each call without an answer.
  const page = await context.newPage();
  const address = `/projects/${kitchen.projectId}/devices/${kitchen.deviceId}`;
  await page.clock.install();
  await page.goto(address);
  await page.getByRole('button', { name: 'Edit identity' }).click();
  const name = page.getByLabel('Name');
  await name.fill('Kitchen lamp');

  // Another tab shows the other device.
  const other = await context.newPage();
  await other.goto(`/projects/${attic.projectId}/devices/${attic.deviceId}`);
  await other.getByRole('button', { name: 'Edit identity' }).click();
  await expect(other.getByLabel('Name')).toHaveValue('');
  await other.close();
  await expect(name).toHaveValue('Kitchen lamp');

  // The server is away, and comes back.
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('You are offline.')).toBeHidden();
  await expect(name).toHaveValue('Kitchen lamp');

  // The laptop is closed for a while.
  await page.clock.fastForward('20:00');
  await expect(name).toHaveValue('Kitchen lamp');

  // A reload asks.
  const asked = page.waitForEvent('dialog');
  const reloading = page.reload().catch(() => undefined);
  await (await asked).dismiss();
  await expect(name).toHaveValue('Kitchen lamp');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Device saved')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Kitchen lamp' })).toBeVisible();
  await Promise.race([reloading, page.evaluate(() => undefined)]);
});
