import { expect, test } from './world.ts';

test('while the server is slow, a page shows that it is loading, and no invented name', async ({
  page,
  project,
}) => {
  const held = Promise.withResolvers<void>();
  await page.route(`**/api/projects/${project.id}`, async route => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`/projects/${project.id}`);
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Switch project' })).not.toContainText('…');
  held.resolve();
  await expect(page.getByRole('heading', { level: 1, name: project.name })).toBeVisible();
});
