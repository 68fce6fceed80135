import type { Page } from '@playwright/test';
import { editProject } from '#contract/project.ts';
import { expect, test } from './world.ts';

// As people have it: a page that was left stays alive for Back.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
});

/** A browser that is driven shows every tab as if it were in front; this one is not. */
async function show(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(is => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => is });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

test('a page that was left for another does not keep the next one waiting', async ({ page, aProject }) => {
  const { id } = await aProject();
  // More than the connections that a browser opens to one server.
  for (const path of ['', '/team', '/settings', '/settings/advanced', '/team', '/settings', '', '/team']) {
    await page.goto(`/projects/${id}${path}`);
    await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  }
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
