import type { Page } from '@playwright/test';
import { createApp } from '#contract/app.ts';
import { createClient } from '#contract/client.ts';
import { createHome } from '#contract/home.ts';
import { createKey } from '#contract/key.ts';
import type { Project } from '#contract/project.ts';
import { createProxyRoute, readProxyRoute } from '#contract/proxyRoute.ts';
import { bringUser, mintUserSession } from '#contract/service.ts';
import { createUser } from '#contract/user.ts';
import { aBackEnd } from '#test/backEnds.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../world.ts';

const list = ({ id }: Project) => `/projects/${id}/proxy_routes`;
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** A home, and the client of its owner's app. */
async function aHome({ client }: Newcomer, { id: projectId }: Project, url: string) {
  const key = await client.call(createKey, {
    params: { projectId },
    body: { name: 'users', canHandleBYOU: true },
  });
  const { id: appId } = await client.call(createApp, { params: { projectId }, body: { id: 'home' } });
  const authorization = `Bearer ${key.secret}`;
  const backEnd = createClient({
    baseUrl: `${url}/service/v1`,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, authorization } }),
  });
  const params = { projectId, externalId: 'ingrid' };
  const { id: ownerId } = await backEnd.call(bringUser, { params, body: { name: 'Ingrid' } });
  const { accessToken } = await backEnd.call(mintUserSession, { params, body: { appId } });
  const body = { projectId, ownerId, name: 'Lindqvist, Oslo', timeZone: 'Europe/Oslo' };
  const { id: homeId } = await client.call(createHome, { body });
  const headers = { authorization: `Bearer ${accessToken}` };
  return {
    homeId,
    callOf: (path: string) => fetch(`${url}/app/v1/${appId}@${projectId}${path}`, { headers }),
  };
}

test('a route is created, tested as a user of a home, called, edited, suspended and deleted', async ({
  page,
  developer,
  platform,
  project,
}) => {
  test.slow();
  await using backEnd = await aBackEnd((_, response) => response.end('{"kWh":12}'));
  const { homeId, callOf } = await aHome(developer, project, platform.url);
  await page.goto(list(project));
  await expect(page.getByText('No routes yet')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Create route' });
  await dialog.getByLabel('Source path').fill('energy');
  await dialog.getByLabel('Target').fill(`${backEnd.url}/v1`);
  await dialog.getByRole('button', { name: 'Create route' }).click();
  await expect(dialog.getByLabel('Source path')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Source path').fill('/energy');
  await expect(dialog.getByText('the longest matching source path')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create route' }).click();
  await expect(page.getByRole('heading', { name: '/energy', level: 1 })).toBeVisible();

  const tried = panel(page, 'Try a call');
  await tried.getByLabel('Path below').fill('/energy/months?year=2026');
  await expect(tried.getByText(`${backEnd.url}/v1/months?year=2026`)).toBeVisible();
  await expect(tried.getByText('x-mooring-role', { exact: true })).toBeVisible();
  await tried.getByRole('button', { name: 'Send call' }).click();
  await expect(panel(page, 'Answer')).toContainText('{"kWh":12}');
  expect(backEnd.received.map(({ url }) => url)).toEqual(['/v1/months?year=2026']);
  await page.getByRole('button', { name: 'Record bodies for 5 min' }).click();
  await expect(page.getByRole('button', { name: /Stop recording/ })).toBeVisible();
  expect((await callOf(`/homes/${homeId}/appProxy/energy/today`)).status).toBe(200);
  const calls = panel(page, 'Last calls');
  await expect(calls).toContainText('/energy/today');
  await calls.getByRole('row', { name: /today/ }).getByRole('button').click();
  await expect(panel(page, 'Received')).toContainText('{"kWh":12}');
  await expectAccessible(page);

  await tried.getByLabel('Path below').fill('/other');
  await expect(tried.getByText('NO_PROXY_ROUTE')).toBeVisible();

  await page.getByRole('button', { name: 'Edit route' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit /energy' });
  await edit.getByLabel('Homes').fill('1007 none 42');
  await edit.getByRole('button', { name: 'Save route' }).click();
  await expect(page.getByText('App Proxy route saved')).toBeVisible();
  const routeId = page.url().split('/').at(-1)?.split(/[?#]/)[0] ?? '';
  const read = () => developer.client.call(readProxyRoute, { params: { routeId } });
  expect((await read()).homeIds).toEqual([1007, 42]);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Suspend route' }).click();
  await expect(page.getByText('refuses all calls')).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete route' }).click();
  await expect(page.getByText('Do you really want to delete App Proxy route')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete route' }).click();
  await expect(page.getByText('No routes yet')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('the signing key is shown and rotated, and its predecessor is revoked', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('404 GET /api/proxyRoutes/prx_none');
  await using backEnd = await aBackEnd();
  const body = { projectId: project.id, resource: 'user' as const, sourcePath: '/', targetUrl: backEnd.url };
  const { id: routeId, signing } = await developer.client.call(createProxyRoute, { body });
  await page.goto(`${list(project)}/${routeId}`);
  const key = panel(page, 'Signing key');
  await key.getByRole('button', { name: 'Show key' }).click();
  await expect(page.getByRole('dialog').getByRole('heading', { name: /Current/ })).toContainText(
    signing.keyId,
  );
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await key.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate signing key' }).click();
  await expect(page.getByRole('dialog').getByRole('heading', { name: /Previous/ })).toContainText(
    signing.keyId,
  );
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await key.getByRole('button', { name: 'End previous' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End key' }).click();
  await expect(page.getByText('Previous key ended')).toBeVisible();
  await expect(key).not.toContainText(signing.keyId);
  await page.goto(`${list(project)}/prx_none`);
  await expect(page.getByText('App Proxy route prx_none does not exist.')).toBeVisible();
});

test('a route and its tester fit the screen of a phone', async ({ page, developer, platform, project }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await using backEnd = await aBackEnd();
  await aHome(developer, project, platform.url);
  const body = {
    projectId: project.id,
    resource: 'home' as const,
    sourcePath: '/energy',
    targetUrl: backEnd.url,
  };
  const { id: routeId } = await developer.client.call(createProxyRoute, { body });
  await page.goto(`${list(project)}/${routeId}`);
  await expect(panel(page, 'Try a call').getByText('x-mooring-user', { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.goto(list(project));
  await expect(page.getByRole('link', { name: /\/energy/ })).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test('the tester begins with a user who has a home, and says so of one who has none', async ({
  page,
  developer,
  platform,
  project,
}) => {
  await using backEnd = await aBackEnd();
  await aHome(developer, project, platform.url);
  const { id: projectId } = project;
  // Before the other by name.
  await developer.client.call(createUser, { body: { projectId, email: 'ada@example.com', name: 'Ada' } });
  const body = { projectId, resource: 'home' as const, sourcePath: '/energy', targetUrl: backEnd.url };
  const { id: routeId } = await developer.client.call(createProxyRoute, { body });
  await page.goto(`${list(project)}/${routeId}`);
  const tried = panel(page, 'Try a call');
  await expect(tried.getByText('x-mooring-user', { exact: true })).toBeVisible();
  await tried.getByLabel('As user').selectOption('Ada');
  await expect(tried).toContainText('This user has no home. Choose another user.');
});
