import { expect, test } from './world.ts';

test.use({ sampleProject: 'on' });

test('the first view is at most 110 kB of page, scripts and styles', async ({ page }) => {
  const sizes: Promise<{ responseBodySize: number }>[] = [];
  page.on('requestfinished', request => {
    if (['document', 'script', 'stylesheet'].includes(request.resourceType())) sizes.push(request.sizes());
  });
  await page.goto('/login', { waitUntil: 'networkidle' });
  await expect(page.getByLabel('E-mail')).toBeVisible();
  const bytes = (await Promise.all(sizes)).map(one => one.responseBodySize);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(110_000);
});

test('letters that few texts need are loaded only for a text that has them', async ({ page }) => {
  const fonts: string[] = [];
  page.on('requestfinished', request => {
    if (request.resourceType() === 'font') fonts.push(request.url());
  });
  await page.goto('/login', { waitUntil: 'networkidle' });
  await expect(page.getByLabel('E-mail')).toBeVisible();
  expect(fonts).toHaveLength(1);
  await page.getByLabel('E-mail').fill('zoë@example.com');
  await expect.poll(() => fonts).toHaveLength(2);
});
