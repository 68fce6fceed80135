import type { Page } from '@playwright/test';
import { editProject } from '#contract/project.ts';
import { aDevice } from '#test/devices.ts';
import { expect, test } from './world.ts';

/** Sets the visibility of a page, because in an automated browser every tab counts as visible. */
async function show(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(is => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => is });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

test('more windows than a browser’s connection limit are all live, and load', async ({
  page,
  context,
  developer,
  aProject,
  watch,
}) => {
  const project = await aProject('Before');
  const windows = [page];
  while (windows.length < 7) windows.push(await context.newPage());
  for (const [at, one] of windows.entries()) {
    if (at > 0) watch(one);
    await one.goto(`/projects/${project.id}`);
    await expect(one.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  }
  await developer.client.call(editProject, {
    params: { projectId: project.id },
    body: { name: 'After' },
    ifMatch: project.revision,
  });
  for (const one of windows)
    await expect(one.getByRole('heading', { level: 1, name: 'After' })).toBeVisible();
});

test('a tab in the background closes its connection, and catches up when it is in front again', async ({
  page,
  developer,
  aProject,
}) => {
  const project = await aProject('Before');
  await page.goto(`/projects/${project.id}`);
  const live = page.getByRole('status').filter({ hasText: 'Live' });
  await expect(live).toBeVisible();
  await show(page, 'hidden');
  await expect(live).toHaveCount(0);
  await developer.client.call(editProject, {
    params: { projectId: project.id },
    body: { name: 'After' },
    ifMatch: project.revision,
  });
  await expect(page.getByRole('heading', { level: 1, name: 'Before' })).toBeVisible();
  await show(page, 'visible');
  await expect(page.getByRole('heading', { level: 1, name: 'After' })).toBeVisible();
  await expect(live).toBeVisible();
});

test('opening the live link does not make a page read anything twice', async ({
  page,
  developer,
  project,
}) => {
  const device = await aDevice(developer, project.id);
  const asked: string[] = [];
  page.on('request', request => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}${search}`);
  });
  const load = async (path: string) => {
    asked.length = 0;
    const toldAll = page
      .waitForEvent('websocket')
      .then(link => link.waitForEvent('framereceived', ({ payload }) => payload.includes('"before"')));
    await page.goto(path);
    await toldAll;
    await page.waitForLoadState('networkidle');
    expect(asked).toContain(`GET /api/projects/${project.id}`);
    expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
  };
  // What changes within two seconds of a read, such as the creation of this project, is read again: which of the two
  // was first is unknown.
  for (const path of ['/settings', '', '/devices', `/devices/${device.id}`, '/settings/audit_logs'])
    await expect(() => load(`/projects/${project.id}${path}`)).toPass();
});
