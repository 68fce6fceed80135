import type { Page } from '@playwright/test';
import { changeAlert, listAlerts, readAlert } from '#contract/alert.ts';
import { deleteDevice } from '#contract/device.ts';
import type { Project } from '#contract/project.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { loseAnswers } from '../lostAnswers.ts';
import { expect } from '../world.ts';
import { aDevice, connected, test } from './devicePage.ts';

/** Alerts of the event `smoke`, one of each of these devices. Returns what they are called by device. */
async function smokeIn(
  developer: Newcomer,
  project: Project,
  ...names: string[]
): Promise<Record<string, string>> {
  for (const name of names) {
    const device = await aDevice(developer, project, { tag: name.toLowerCase(), name });
    await using hardware = await connected(developer, device);
    await hardware.say('events/smoke', { _alert: { severity: 'warning', text: 'Smoke' } });
  }
  const found = () => developer.client.call(listAlerts, { params: { projectId: project.id } });
  await expect.poll(async () => (await found()).total).toBe(names.length);
  return Object.fromEntries((await found()).items.map(({ deviceName, id }) => [deviceName, id]));
}

async function statesOf({ client }: Newcomer, { id: projectId }: Project): Promise<Record<string, string>> {
  const { items } = await client.call(listAlerts, { params: { projectId } });
  return Object.fromEntries(items.map(({ deviceName, state }) => [deviceName, state]));
}

const selected = (page: Page) => page.getByRole('region', { name: 'Selected alerts' });

test('what somebody else has resolved since stays resolved, when the selection is acknowledged and when that is undone', async ({
  page,
  developer,
  project,
}) => {
  const ids = await smokeIn(developer, project, 'Attic', 'Cellar', 'Hall');
  const resolve = (name: string) =>
    developer.client.call(changeAlert, {
      params: { alertId: ids[name] ?? '' },
      body: { state: 'resolved' },
    });
  await page.goto(`/projects/${project.id}/alerts`);
  await page.getByRole('button', { name: /^Smoke/ }).click();
  for (const name of ['Attic', 'Cellar', 'Hall'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await resolve('Attic');
  await expect(page.getByText('2 open, 1 cause')).toBeVisible();
  await selected(page).getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByText('Acknowledged 2 alerts')).toBeVisible();
  expect(await statesOf(developer, project)).toEqual({
    Attic: 'resolved',
    Cellar: 'acknowledged',
    Hall: 'acknowledged',
  });
  await resolve('Cellar');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone, except 1 alert that somebody has changed since')).toBeVisible();
  expect(await statesOf(developer, project)).toEqual({
    Attic: 'resolved',
    Cellar: 'resolved',
    Hall: 'open',
  });
});

test('what is selected while an action is under way stays selected, and a second press does nothing', async ({
  page,
  developer,
  project,
}) => {
  await smokeIn(developer, project, 'Attic', 'Cellar', 'Hall');
  const held = Promise.withResolvers<void>();
  let sent = 0;
  await page.route('**/alertActions', async route => {
    sent += 1;
    await held.promise;
    await route.fallback();
  });
  await page.goto(`/projects/${project.id}/alerts`);
  await page.getByRole('button', { name: /^Smoke/ }).click();
  await page.getByRole('link', { name: /^Attic/ }).focus();
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await page.getByRole('checkbox', { name: 'Select Hall' }).check();
  held.resolve();
  await expect(page.getByText('2 open, 1 cause')).toBeVisible();
  await expect(page.getByText('Acknowledged 1 alert')).toBeVisible();
  await expect(selected(page)).toContainText('1 selectedHall');
  expect(sent).toBe(1);
});

test('an open alert says that its device has been deleted', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  const ids = await smokeIn(developer, project, 'Attic');
  const alertId = ids.Attic ?? '';
  await page.goto(`/projects/${project.id}/alerts?alert=${alertId}`);
  const drawer = page.getByRole('dialog', { name: 'Alert' });
  await expect(drawer).toContainText('Nothing was changed in the hour before');
  const { deviceId } = await developer.client.call(readAlert, { params: { alertId } });
  expectRefused(/^404 GET \/api\/(devices|alerts)\//);
  await developer.client.call(deleteDevice, { params: { deviceId } });
  await expect(drawer).toContainText('The device was deleted');
  await expect(drawer).not.toContainText('…');
});

// Not watched, because the browser logs each call without an answer.
const unwatched = test.extend({
  page: async ({ context, developer: _ }, use) => use(await context.newPage()),
});

unwatched(
  'an action whose answer is lost is told of like any other and can be undone',
  async ({ page, developer, project }) => {
    await smokeIn(developer, project, 'Attic', 'Cellar');
    await page.goto(`/projects/${project.id}/alerts`);
    const lost = await loseAnswers(page, 'POST', /\/alertActions$/);
    await page.getByRole('button', { name: 'Acknowledge all 2' }).click();
    await expect(page.getByText('Acknowledged 2 alerts')).toBeVisible();
    expect(lost()).toBe(1);
    await expect(page.getByText('CONNECTION_ERROR')).toBeHidden();

    // Twice without an answer, it has failed, and can be tried again.
    await page.route('**/alertActions', route => route.abort(), { times: 2 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('CONNECTION_ERROR')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Undone')).toBeVisible();
    expect(await statesOf(developer, project)).toEqual({ Attic: 'open', Cellar: 'open' });
  },
);
