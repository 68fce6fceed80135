import { expect, test } from '../world.ts';

test('the welcome leaves the projects to themselves after three', async ({ page, aProject }) => {
  await aProject('Nordlys Home');
  await aProject('Fjord Heating');
  await page.goto('/projects');
  const welcome = page.getByRole('region', { name: 'Welcome' });
  await expect(welcome).toBeVisible();
  await aProject('Skerry Sensors');
  await page.reload();
  await expect(page.getByRole('link', { name: /Skerry Sensors/ })).toBeVisible();
  await expect(welcome).toHaveCount(0);
});
