import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../world.ts';

/** Pretends that an organization exists on the server. */
const asIfThereWere = (page: Page, org: string) =>
  page.route(`**/api/organizations/${org}`, route =>
    route.fulfill({ json: { id: org, name: 'Fjord Works', openToSignUps: false } }),
  );

test('an organization that does not exist shows the not-found page, with its code', async ({
  page,
  expectRefused,
}) => {
  expectRefused('404 GET /api/organizations/nope');
  await page.goto('/orgs/nope/');
  await expect(page.getByRole('heading', { level: 1, name: 'Nothing is moored here' })).toBeVisible();
  await expect(page.getByText('ORG_NOT_FOUND')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
  await expectAccessible(page);
});

test('a session of another organization shows nothing, and leads to the sign-in', async ({
  page,
  project,
}) => {
  await asIfThereWere(page, 'fjord');
  await page.goto('/orgs/fjord/projects');
  await expect(page).toHaveURL(/\/orgs\/fjord\/login$/);
  await expect(page.getByText('LOGIN_ORG_MISMATCH')).toBeVisible();
  await expect(page.getByText(project.name)).toHaveCount(0);
});

test('an organization that took over the address of another shows nothing to the other’s session', async ({
  page,
  project,
}) => {
  await asIfThereWere(page, 'fjord');
  await page.goto('/projects');
  await expect(page.getByRole('link', { name: project.name })).toBeVisible();
  // The stored organization of this address no longer matches the lookup.
  await page.evaluate(() => {
    const known = localStorage.getItem('mooring.organization.') ?? '';
    localStorage.setItem('mooring.organization.fjord', known);
  });
  await page.goto('/orgs/fjord/projects');
  await expect(page).toHaveURL(/\/orgs\/fjord\/login$/);
  await expect(page.getByText('LOGIN_ORG_MISMATCH')).toBeVisible();
  await expect(page.getByText(project.name)).toHaveCount(0);
});

test('a page shows its frame before any answer arrives', async ({ page, project }) => {
  await page.goto(`/projects/${project.id}`);
  await expect(page.getByRole('heading', { level: 1, name: project.name })).toBeVisible();
  await page.route('**/api/**', () => new Promise(() => undefined));
  await page.reload();
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Devices' }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: /Search or jump to/ })).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('projects are listed by the id of the signed-in developer', async ({ page, developer, project }) => {
  const asked = page.waitForRequest(/\/api\/projects\?/);
  await page.goto('/projects');
  await expect(page.getByRole('link', { name: project.name })).toBeVisible();
  const query = new URL((await asked).url()).searchParams;
  expect(query.get('developerId')).toBe(developer.developer.id);
});

test('a failed lookup of the organization is shown at the sign-in', async ({ page }) => {
  await page.route('**/api/organizations/*', route => route.fulfill({ status: 400 }));
  await page.goto('/login');
  await expect(page.getByText('ORG_LOOKUP_FAILED')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('The organization could not be looked up.');
});
