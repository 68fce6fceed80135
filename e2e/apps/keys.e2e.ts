import type { Page } from '@playwright/test';
import { createKey, editKey, type Key, type KeyUse, readKey, readKeyUse } from '#contract/key.ts';
import type { Project } from '#contract/project.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { copied, deaf, expect, expectAccessible, expectNoSidewaysScroll, test } from '../world.ts';

const list = ({ id }: Project) => `/projects/${id}/other_clients`;
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const readNow = ({ client }: Newcomer, keyId: string): Promise<Key> =>
  client.call(readKey, { params: { keyId } });

/** Copies the secret in the open dialog, which is shown only once. */
async function takeSecret(page: Page): Promise<string> {
  const copy = page.getByRole('button', { name: 'Copy secret' });
  await expect(copy).toBeFocused();
  const secret = await copied(page, () => copy.press('Enter'));
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  return secret;
}

test('a key is created, used, refused, rotated, restricted, suspended and deleted', async ({
  page,
  platform,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('422 PATCH /api/keys/*', '404 GET /api/keys/key_gone');
  test.slow();
  const status = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    return (await fetch(`${platform.url}/service/v1/projects/${project.id}/apps`, { headers })).status;
  };
  await page.goto(list(project));
  await expect(page.getByText('No keys yet')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  for (const name of ['Send commands', 'Send events', 'Update key-value stores'])
    await expect(dialog.getByLabel(name)).toBeChecked();
  for (const name of ['Bring your own users', 'Admin'])
    await expect(dialog.getByLabel(name)).not.toBeChecked();
  await expectAccessible(page);
  await dialog.getByLabel('Name').fill('billing-backend');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Key created' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Back to the secret' }).click();
  const first = await takeSecret(page);
  await expect(page).toHaveURL(/other_clients\/key_\w+$/);
  const keyId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect(first).toMatch(/^mor_/);
  await expect(panel(page, 'Secret')).toContainText(first.slice(-4));
  await expect(page.getByText(first)).toHaveCount(0);

  expect(await status(first)).toBe(403);
  await page.getByRole('switch', { name: 'Admin' }).click();
  await expect(page.getByText('Admin turned on')).toBeVisible();
  expect(await status(first)).toBe(200);
  // Uses are stored a moment later, in a batch.
  const counted = async () => {
    const { refused, addresses } = await developer.client.call(readKeyUse, { params: { keyId } });
    return [refused.count, addresses.reduce((sum, { calls }) => sum + calls, 0)];
  };
  await expect.poll(counted).toEqual([1, 1]);
  await page.reload();
  await expect(panel(page, 'Refused')).toContainText('MISSING_CAPABILITY');
  await expect(panel(page, 'Source addresses')).toContainText('127.0.0.1');
  await expectAccessible(page);

  await panel(page, 'Refused').getByRole('link', { name: 'HTTP log' }).click();
  const log = panel(page, 'HTTP log');
  await expect(log).toContainText('/service/v1/projects/');
  await page.getByRole('button', { name: /^Failed \(4xx, 5xx\)/ }).click();
  const failed = log.getByRole('listitem').filter({ hasText: /403 MISSING_CAPABILITY, \d+\sms/ });
  await expect(failed.first()).toBeVisible();
  await expect(log.getByText(/ 200 /)).toHaveCount(0);
  await failed.first().locator('summary').click();
  await log.getByRole('button', { name: /^Only these entries of GET/ }).click();
  await expect(page).toHaveURL(/action=GET/);
  await expect(failed.first()).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${list(project)}/${keyId}`);

  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await expect(page.getByLabel('Old secret stops working')).toHaveValue('86400');
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  const second = await takeSecret(page);
  expect(second).not.toBe(first);
  expect([await status(first), await status(second)]).toEqual([200, 200]);
  const secret = panel(page, 'Secret');
  await expect(secret).toContainText('The previous secret still works.');
  await expectAccessible(page);
  await secret.getByRole('button', { name: 'Give it more time' }).click();
  await page.getByLabel('Works until').selectOption('7');
  await page.getByRole('button', { name: 'Give more time' }).click();
  await expect(secret).toContainText('6 days left');
  await secret.getByRole('button', { name: 'End it now' }).click();
  await page.getByRole('button', { name: 'End secret' }).click();
  await expect(secret.getByText('The previous secret still works.')).toHaveCount(0);
  expect([await status(first), await status(second)]).toEqual([401, 200]);

  const restrictions = panel(page, 'Restrictions');
  await restrictions.getByRole('button', { name: 'Edit restrictions' }).click();
  await restrictions.getByLabel('Addresses').fill('203.0.113.0/28\n203.0.113.999');
  await save(page);
  await expect(restrictions.getByText('ADDRESS_LIST_UNFIT')).toBeVisible();
  await expect(restrictions.getByText('Check 203.0.113.999')).toBeVisible();
  await restrictions.getByLabel('Addresses').fill('203.0.113.0/28');
  await restrictions.getByLabel('Expires').selectOption('On a date');
  await restrictions.getByLabel('Expiry date').fill('2001-01-01');
  await save(page);
  await expect(restrictions.getByText('EXPIRY_PAST')).toBeVisible();
  await restrictions.getByLabel('Expiry date').fill('2199-01-01');
  await save(page);
  await expect(page.getByText('Restrictions saved')).toBeVisible();
  expect(await status(second)).toBe(403);

  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('button', { name: 'Suspend key' }).click();
  await expect(page.getByText('Suspended', { exact: true })).toBeVisible();
  expect(await status(second)).toBe(401);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Key resumed')).toBeVisible();
  expect((await readNow(developer, keyId)).suspended).toBe(false);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete key' }).click();
  await expect(page.getByText('Do you really want to delete client billing-backend?')).toBeVisible();
  await page.getByRole('button', { name: 'Delete key' }).click();
  await expect(page.getByText('No keys yet')).toBeVisible();
  await page.goto(`${list(project)}/key_gone`);
  await expect(page.getByText('Key key_gone does not exist.')).toBeVisible();
});

/** Figures as after a month of use. */
function use(now: number): KeyUse {
  const day = (ago: number) => new Date(now - ago * 86_400_000).toISOString().slice(0, 10);
  const one = (capability: KeyUse['capabilities'][number]['capability'], calls: number) => ({
    capability,
    calls,
    lastUsedAt: new Date(now - 8_000).toISOString(),
    days: [{ day: day(20), calls }],
  });
  return {
    from: day(29),
    to: day(0),
    calls: 41_211,
    capabilities: [
      one('canSendCommands', 41_208),
      { capability: 'canSendEvents', calls: 0, days: [] },
      { capability: 'canHandleBYOU', calls: 0, days: [] },
      { capability: 'canUpdateKVStores', calls: 0, days: [], advice: 'unused' },
      { ...one('canAdmin', 3), advice: 'rare' },
    ],
    refused: { count: 0, latest: [] },
    addresses: [{ address: '203.0.113.7', calls: 41_211 }],
  };
}

test('the advice is postponed, then applied by one press that keeps others’ changes; a viewer only reads', async ({
  page,
  developer,
  open,
  aMember,
  project,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/keys/*');
  const params = { projectId: project.id };
  const body = { name: 'billing-backend', canAdmin: true };
  const { id: keyId } = await developer.client.call(createKey, { params, body });
  const asUsed = (it: Page) =>
    it.route(`**/api/keys/${keyId}/use`, route => route.fulfill({ json: use(Date.now()) }));
  await asUsed(page);
  // The live link is cut, so that another's change is noticed only when a press is refused.
  await deaf(page);
  await page.goto(`${list(project)}/${keyId}`);
  const advice = panel(page, 'Advice');
  await expect(advice).toContainText(
    'it never updated key-value stores and acted as admin three times, all on',
  );
  await expect(panel(page, 'Capabilities')).toContainText('Never used. Turn it off.');
  await expectAccessible(page);
  for (const width of [1024, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
  await advice.getByRole('button', { name: 'Remind me in 30 days' }).click();
  await expect(advice).toHaveCount(0);
  // The panel disappears before the server has answered; the reset below must come after the answer.
  await expect.poll(async () => (await readNow(developer, keyId)).adviceSnoozedUntil).toBeDefined();
  const edit = { adviceSnoozedUntil: null, description: 'Changed meanwhile' };
  await developer.client.call(editKey, { params: { keyId }, body: edit });
  await page.reload();
  await developer.client.call(editKey, { params: { keyId }, body: { description: 'And again' } });
  await advice.getByRole('button', { name: 'Turn off both' }).click();
  await expect(page.getByText('Capabilities saved')).toBeVisible();
  await expect(advice).toHaveCount(0);
  expect(await readNow(developer, keyId)).toMatchObject({
    canAdmin: false,
    canUpdateKVStores: false,
    canSendCommands: true,
    description: 'And again',
  });

  const viewer = await open(await aMember(project, 'viewer'));
  await asUsed(viewer);
  await viewer.goto(list(project));
  await viewer.getByRole('link', { name: /billing-backend/ }).click();
  await expect(panel(viewer, 'Capabilities')).toContainText('41,208');
  await expect(viewer.getByRole('switch')).toHaveCount(0);
  await expect(viewer.getByRole('button', { name: /^(Edit|Suspend|Rotate|More actions)/ })).toHaveCount(0);
  await expectAccessible(viewer);
});
