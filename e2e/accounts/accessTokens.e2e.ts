import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccessToken } from '#contract/accessToken.ts';
import { copied, expect, expectAccessible, test } from '../world.ts';

test('an access token is created, used by a script, and revoked', async ({
  page,
  platform,
  project,
  aProject,
}) => {
  await aProject('Harbour Lights');
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Access tokens' });
  await expect(panel.getByText('None yet.')).toBeVisible();
  await panel.getByRole('button', { name: 'Create token' }).click();
  const asked = page.getByRole('dialog', { name: 'Create access token' });
  await asked.getByLabel('Name').fill('Build server');
  await asked.getByLabel('Firmware').check();
  await asked.getByLabel('Projects').selectOption('Only these');
  await page.keyboard.press('Enter');
  await asked.getByRole('button', { name: 'Create token' }).click();
  await expect(asked.getByText('REQUIRED')).toBeVisible();
  await asked.getByLabel(project.name).check();
  await asked.getByLabel('Expires').selectOption('On a date');
  await expectAccessible(page);
  await asked.getByLabel('Expires').selectOption('In 30 days');
  await asked.getByRole('button', { name: 'Create token' }).click();

  const made = page.getByRole('dialog', { name: 'Access token created' });
  await expect(made).toBeVisible();
  await expectAccessible(page);
  const lost = page.getByRole('dialog', { name: 'Close without copying the token?' });
  await page.keyboard.press('Escape');
  await lost.getByRole('button', { name: 'Back to the token' }).click();
  const token = await copied(page, () => made.getByRole('button', { name: 'Copy access token' }).click());
  await made.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(made).toHaveCount(0);

  const call = () => fetch(`${platform.url}/api/projects`, { headers: { authorization: `Bearer ${token}` } });
  expect(await (await call()).json()).toMatchObject([{ id: project.id }]);
  await page.reload();
  const row = panel.getByRole('row', { name: /Build server/ });
  await expect(row).toContainText(project.name);
  await expect(row).toContainText('127.0.0.1');
  await expect(row).not.toContainText('Harbour');
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await expect(panel.getByText('None yet.')).toBeVisible();
  expect((await call()).status).toBe(401);
});

test('the platform serves its command line, which runs in any folder', async ({
  platform,
  developer,
  project,
}) => {
  const { token } = await developer.client.call(createAccessToken, {
    params: { developerId: developer.developer.id },
    body: { name: 'CI', scope: 'read', expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
  });
  const folder = mkdtempSync(join(tmpdir(), 'mooring-cli-'));
  try {
    const install = [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefix',
      folder,
      `${platform.url}/sdk/mooring.tgz`,
    ];
    execFileSync('npm', install, { stdio: 'ignore' });
    const env = { ...process.env, MOORING_URL: platform.url, MOORING_TOKEN: token };
    const told = execFileSync(join(folder, 'node_modules/.bin/mooring'), ['projects', 'list', '--json'], {
      env,
    });
    expect(JSON.parse(told.toString())).toContainEqual(expect.objectContaining({ id: project.id }));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
