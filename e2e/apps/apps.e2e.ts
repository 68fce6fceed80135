import type { Page } from '@playwright/test';
import { type AppFigures, createApp, editApp, readApp } from '#contract/app.ts';
import type { Project } from '#contract/project.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { rewrite } from '../devices/devicePage.ts';
import { deaf, expect, expectAccessible, expectNoSidewaysScroll, test } from '../world.ts';

const list = ({ id }: Project) => `/projects/${id}/apps`;
const appId = 'nordlys-app';
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

const readNow = ({ client }: Newcomer, { id: projectId }: Project) =>
  client.call(readApp, { params: { appId }, query: { projectId } });

test('an app is created by keyboard, given a config, events, a session length and redirects, and deleted', async ({
  page,
  platform,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('404 GET /api/apps/gone');
  test.slow();
  await page.goto(list(project));
  const tabs = page.getByRole('navigation', { name: 'Apps', exact: true }).getByRole('link');
  await expect(tabs).toHaveText(['User Clients', 'Other Clients', 'App Proxy']);
  await expect(page.getByText('No apps yet')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('REQUIRED')).toBeVisible();
  await page.keyboard.type('nordlys app');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('INVALID_FORMAT')).toBeVisible();
  await dialog.getByLabel('App id').fill(appId);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/apps/${appId}$`));
  await expect(panel(page, 'Sessions')).toContainText('No users yet.');
  await expect(panel(page, 'Sessions')).toContainText(`${platform.url}/sdk/mooring-app.tgz`);
  await expect(panel(page, 'Sessions')).toContainText(`app: '${appId}@${project.id}'`);
  await page.getByRole('button', { name: 'curl' }).first().click();
  await expect(panel(page, 'Sessions')).toContainText(`${platform.url}/app/v1/${appId}@${project.id}/`);
  await expectAccessible(page);

  const config = panel(page, 'Config');
  await config.getByRole('button', { name: 'Edit config' }).click();
  const editor = config.getByRole('textbox', { name: 'Config' });
  await rewrite(editor, '[1]');
  await expect(config.getByText('INVALID_OBJECT')).toBeVisible();
  await save(page);
  await rewrite(editor, '{"a": ');
  await expect(config.getByText('INVALID_JSON')).toBeVisible();
  await save(page);
  await expectAccessible(page);
  await rewrite(editor, '{"features":{"guests":true}}');
  await config.getByRole('button', { name: 'Format' }).click();
  await editor.press('ControlOrMeta+s');
  await expect(page.getByText('Config saved')).toBeVisible();
  await expect(config).toContainText('Valid object');
  expect((await readNow(developer, project)).config).toEqual({ features: { guests: true } });
  await config.getByRole('button', { name: 'Edit config' }).click();
  await rewrite(editor, ' ');
  await save(page);
  // The editor also reports this while typing.
  await expect(editor).toHaveCount(0);
  await expect(config).toContainText('Empty object');
  expect((await readNow(developer, project)).config).toEqual({});

  const events = panel(page, 'Subscribed events');
  await expect(events).toContainText('All events reach sessions.');
  await events.getByRole('button', { name: 'Edit subscribed events' }).click();
  await events.getByLabel('Event names').fill('press motion\nPRESS a--b');
  await save(page);
  await expect(events.getByText('Not an event name: a--b')).toBeVisible();
  await events.getByLabel('Event names').fill('press motion\nPRESS');
  await save(page);
  await events.getByRole('switch', { name: 'motion reaches sessions' }).click();
  await expect(page.getByText('motion off')).toBeVisible();
  expect((await readNow(developer, project)).subscribedEvents).toEqual(['press']);

  const length = panel(page, 'Session length');
  await length.getByRole('button', { name: '7 days' }).click();
  await expect(length).toContainText('A session ends 7 days (604,800 seconds) after sign-in.');
  // The change is shown before it is stored, and of two concurrent changes, the later could arrive first.
  await expect.poll(async () => (await readNow(developer, project)).userSessionsTTL).toBe(604_800);
  await length.getByRole('button', { name: 'Custom session length' }).click();
  await length.getByLabel('A session ends after').fill('36');
  await length.getByLabel('Unit').selectOption('hours');
  await save(page);
  await expect(length.getByRole('button', { name: '36 hours' })).toHaveAttribute('aria-pressed', 'true');

  const signingIn = panel(page, 'Signing in');
  await signingIn.getByRole('button', { name: 'Edit signing in' }).click();
  await signingIn.getByLabel('Redirects').fill('https://app.example.com/signed-in\nnordlys://signed-in');
  await save(page);
  await expect(signingIn.getByText('REDIRECT_UNFIT')).toBeVisible();
  await expect(signingIn.getByText('Check nordlys://signed-in')).toBeVisible();
  await signingIn
    .getByLabel('Redirects')
    .fill('https://app.example.com/signed-in\ncom.example.app:/signed-in');
  await save(page);
  await expect(page.getByText('Redirects saved')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete app' }).click();
  await expect(page.getByText(`Do you really want to delete app ${appId}?`)).toBeVisible();
  await page.getByRole('button', { name: 'Delete app' }).click();
  await expect(page.getByText('No apps yet')).toBeVisible();
  await page.goto(`${list(project)}/gone`);
  await expect(page.getByText('App gone does not exist.')).toBeVisible();
});

/** Figures as after a month of use. */
const figures = (now: number): AppFigures => ({
  activeSessions: 6,
  openStreams: 4,
  openSessions: 52,
  users: 31,
  ended: { signedOut: 11, expired: 7, reused: 1, ended: 0 },
  calls: { count: 8914, medianMs: 21.4 },
  configReads: { count: 214, lastAt: new Date(now - 60_000).toISOString() },
  // Today, even if the day ends before the chart is drawn.
  usersByDay: [now, now + 86_400_000].map(at => ({
    day: new Date(at).toISOString().slice(0, 10),
    users: 31,
  })),
  usersByHour: [{ hour: new Date(now - (now % 3_600_000)).toISOString(), users: 9 }],
  events: [
    { name: 'motion', deviceClass: 'thermostat', count: 6120 },
    { name: 'press', deviceClass: 'thermostat', count: 1800 },
    { name: 'press', deviceClass: 'switch', count: 44 },
  ],
});

test('failed figures leave the rest working, and return as chart and table', async ({
  page,
  developer,
  project,
}) => {
  const params = { projectId: project.id };
  await developer.client.call(createApp, {
    params,
    body: { id: appId, subscribedEvents: ['motion'], config: { long: 'x'.repeat(300) } },
  });
  let isDown = true;
  await page.route(`**/api/apps/${appId}/figures*`, route =>
    isDown
      ? route.fulfill({ status: 404, json: { reason: 'RESOURCE_NOT_FOUND', message: 'Gone.' } })
      : route.fulfill({ json: figures(Date.now()) }),
  );
  await page.goto(`${list(project)}/${appId}`);
  const sessions = panel(page, 'Sessions');
  await expect(sessions.getByText('The figures could not be loaded')).toBeVisible();
  await expect(panel(page, 'Config').getByText('Valid object')).toBeVisible();
  isDown = false;
  await sessions.getByRole('button', { name: 'Retry' }).click();
  await expect(sessions).toContainText('11 signed out, 7 expired, 1 reused');
  await expect(sessions.getByRole('img', { name: /Users a day, at most 31, today 31/ })).toBeVisible();
  await sessions.getByRole('button', { name: '24 h' }).click();
  await expect(page).toHaveURL(/users=24h/);
  await sessions.getByRole('button', { name: 'Show as table' }).click();
  await expect(sessions.getByRole('row')).toHaveCount(25);
  await expect(panel(page, 'Subscribed events')).toContainText(
    '6,120 events a day reach sessions; * would make it 7,964.',
  );
  await expectAccessible(page);

  // Signed-in users are not signed out by accident.
  await panel(page, 'Session length').getByRole('button', { name: '1 day' }).click();
  await expect(page.getByRole('dialog', { name: 'Shorten sessions?' })).toBeVisible();
  await page.keyboard.press('Escape');
  for (const width of [1024, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
  await page.goto(list(project));
  await expect(page.getByRole('link', { name: appId })).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test('a viewer only reads, two editors overwrite nothing unseen, and the palette finds the app', async ({
  page,
  developer,
  open,
  aMember,
  project,
  expectRefused,
}) => {
  expectRefused('409 PATCH /api/apps/nordlys-app');
  const params = { projectId: project.id };
  await developer.client.call(createApp, { params, body: { id: appId, subscribedEvents: ['press'] } });
  const viewer = await open(await aMember(project, 'viewer'));
  await viewer.goto(`${list(project)}/${appId}`);
  await expect(panel(viewer, 'Subscribed events')).toContainText('press');
  await expect(viewer.getByRole('switch')).toHaveCount(0);
  await expect(viewer.getByRole('button', { name: /^Edit/ })).toHaveCount(0);
  await expect(viewer.getByRole('button', { name: '7 days' })).toBeDisabled();
  await expectAccessible(viewer);

  // The live link is cut, so that the other's change is noticed only when a save is refused.
  await deaf(page);
  await page.goto(`/projects/${project.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox').fill('nordlys-a');
  await page.getByRole('option', { name: appId }).click();
  await expect(page.getByRole('heading', { name: appId })).toBeVisible();
  await page.keyboard.press('e');
  await page.getByLabel('Description').fill('Mine');
  await developer.client.call(editApp, {
    params: { appId },
    query: params,
    body: { description: 'Theirs', subscribedEvents: ['motion'] },
  });
  await page.getByRole('button', { name: 'Save app' }).click();
  await expect(page.getByRole('alert', { name: 'Changed by someone else' })).toContainText('Theirs');
  await page.getByRole('button', { name: 'Overwrite with yours' }).click();
  await expect(page.getByText('App saved')).toBeVisible();
  expect(await readNow(developer, project)).toMatchObject({
    description: 'Mine',
    subscribedEvents: ['motion'],
  });
});
