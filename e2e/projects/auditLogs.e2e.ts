import { readFile } from 'node:fs/promises';
import { createProject, editProject } from '#contract/project.ts';
import { aDevice } from '#test/devices.ts';
import { anEmail, expect, expectAccessible, test } from '../world.ts';

test.use({ sampleProject: 'on' });

test('a change made in one window appears in the audit log of another by itself, with before and after', async ({
  page,
  developer,
}) => {
  const { id: projectId } = await developer.client.call(createProject, { body: { name: 'Old name' } });
  await page.goto(`/projects/${projectId}/settings/audit_logs`);
  await expect(page.getByText('Project Old name created')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  await developer.client.call(editProject, { params: { projectId }, body: { name: 'New name' } });
  await page.getByText('Settings of project New name changed').click();
  const change = page.getByRole('table', { name: 'What changed' });
  await expect(change.getByRole('row', { name: 'name Old name New name' })).toBeVisible();
  await aDevice(developer, projectId, { name: 'Hall lamp' });
  await expect(page.getByText('Device Hall lamp created')).toBeVisible();
  await expectAccessible(page);
});

test('devices keep their names in the log while the name of another one is loading', async ({
  page,
  developer,
  project,
}) => {
  await aDevice(developer, project.id, { name: 'Hall lamp' });
  await page.goto(`/projects/${project.id}/settings/audit_logs`);
  const hall = page.getByText('Device Hall lamp created');
  await expect(hall).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/deviceNames?*', async route => {
    await held;
    await route.continue();
  });
  await aDevice(developer, project.id, { name: 'Cellar lamp' });
  await expect(page.getByText(/^Device dev_[0-9a-z]{26} created$/)).toHaveCount(1);
  await expect(hall).toBeVisible();
  release();
  await expect(page.getByText('Device Cellar lamp created')).toBeVisible();
});

test('of many lines that come at once while the log is held, none is lost', async ({
  page,
  developer,
  project,
}) => {
  const { deviceClass } = await aDevice(developer, project.id);
  await page.goto(`/projects/${project.id}/settings/audit_logs`);
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  await page.keyboard.press('f');
  await expect(page.getByRole('button', { name: 'Follow' })).toHaveAttribute('aria-pressed', 'false');
  const names = Array.from({ length: 40 }, (_, n) => `Lamp ${n} of many`);
  // The page is busy with something else meanwhile, and is then told of all of them at once.
  const busy = page.evaluate(untilMs => {
    while (Date.now() < untilMs);
  }, Date.now() + 4_000);
  await Promise.all(names.map(name => aDevice(developer, project.id, { name, deviceClass })));
  await busy;
  await page.getByRole('button', { name: '↑ 40 newer lines' }).click();
  await expect(page.getByText(/^Device Lamp \d+ of many created$/)).toHaveCount(40);
});

test('the log is searched, shared as a link, exported and verified', async ({ page, developer }) => {
  const { id: projectId } = await developer.client.call(createProject, {
    body: { name: anEmail('Project') },
  });
  for (const description of ['first', 'second']) {
    await developer.client.call(editProject, { params: { projectId }, body: { description } });
  }
  await page.goto(`/projects/${projectId}/settings/audit_logs`);
  await page.getByLabel('Search the log').fill('second');
  await expect(page).toHaveURL(/[?&]text=second/);
  await expect(page.getByText(/^Settings of project/)).toHaveCount(1);

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as JSON lines' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
  expect(lines.map(line => JSON.parse(line).detail.after.description)).toEqual(['second']);

  await page.getByRole('button', { name: /^Warnings and errors 0$/ }).click();
  await expect(page.getByText('No line says “second” in this period.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText(/^Settings of project/)).toHaveCount(2);
  await page.getByLabel('Actor', { exact: true }).selectOption(developer.developer.id);
  await expect(page.getByText(/^Settings of project/)).toHaveCount(2);
  await expect(page).toHaveURL(/[?&]who=dvl_/);

  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('dialog').getByText('The log is intact')).toBeVisible();
  await expectAccessible(page);
});

test('entries older than the five most recent are one press away, and each line says what changed', async ({
  page,
  developer,
}) => {
  const { id: projectId } = await developer.client.call(createProject, { body: { name: 'Long kept' } });
  for (const alertRetentionPeriod of [8, 9, 10, 11, 12]) {
    await developer.client.call(editProject, { params: { projectId }, body: { alertRetentionPeriod } });
  }
  await page.goto(`/projects/${projectId}/settings/audit_logs`);
  await expect(page.getByText('Alert retention: 11 → 12')).toBeVisible();
  await expect(page.getByText('Project Long kept created')).toHaveCount(0);
  await page.getByRole('button', { name: 'Older entries' }).click();
  await expect(page.getByText('Project Long kept created')).toBeVisible();
  await expectAccessible(page);
});

test('the dashboard shows counts, traffic and next steps, and the tour is skipped and resumed', async ({
  page,
  developer: _,
}) => {
  await page.goto('/projects');
  await page.getByRole('link', { name: /Sample project/ }).click();
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Fleet' }).getByRole('heading')).toHaveText(
    '0 of 7 connected',
  );
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(/From devices \d+/);
  await expect(page.getByRole('table', { name: 'Device classes' }).getByRole('row')).toHaveCount(4);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Skip', exact: true }).click();
  await page.getByRole('button', { name: 'Take it now' }).click();
  await page.getByRole('region', { name: 'Your tour' }).getByRole('button', { name: 'All steps' }).click();
  await page.getByRole('link', { name: /Start your own project/ }).click();
  await expect(page).toHaveURL(/\/projects#new$/);
});
