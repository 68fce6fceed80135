import type { Page } from '@playwright/test';
import { editProject } from '#contract/project.ts';
import { expect, test } from './world.ts';

/** A browser that is driven shows every tab as if it were in front; this one is not. */
async function show(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(is => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => is });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

test('more windows than a browser opens connections to a server are all live, and load', async ({
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

test('a tab in the background lets its connection go, and catches up once it is in front', async ({
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

test('a page asks for nothing a second time because its live link opens', async ({ page, project }) => {
  const loaded = async () => {
    const opened = page
      .waitForEvent('websocket')
      .then(link => link.waitForEvent('framereceived', ({ payload }) => payload.includes('"opened"')));
    await page.goto(`/projects/${project.id}/settings`);
    await opened;
    await expect(page.getByRole('button', { name: 'Edit overview' })).toBeVisible();
    await page.waitForLoadState('networkidle');
  };
  // What was changed just before a page opened, as the project was here, is read again: nobody knows which came first.
  await loaded();
  const asked: string[] = [];
  page.on('request', request => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}${search}`);
  });
  await loaded();
  expect(asked).toContain(`GET /api/projects/${project.id}`);
  expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
});
