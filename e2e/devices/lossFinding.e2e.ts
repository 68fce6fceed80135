import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../world.ts';

test.use({ sampleProject: 'on' });

test('a loss of connection says when, why and what is common, and leads to the devices', async ({
  page,
  developer: _,
}) => {
  await page.goto('/projects');
  await page.getByRole('link', { name: /Sample project/ }).click();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  const loss = attention.getByRole('listitem').first();
  await expect(loss).toContainText(/lost their connection at \d\d:\d\d/);
  await expect(loss).toContainText(/of \d+ connected devices/);
  await expect(loss.getByLabel('In common')).toBeVisible();
  const band = page.getByRole('region', { name: 'Fleet' });
  await expect(band).toContainText(/fewer than before \d\d:\d\d/);
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  await loss.getByRole('link', { name: 'Show devices' }).click();
  await expect(page).toHaveURL(/devices\?state=disconnected/);
});
