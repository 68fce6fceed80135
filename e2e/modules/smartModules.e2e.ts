import type { Page } from '@playwright/test';
import type { Project } from '#contract/project.ts';
import { createSmartModule, editSmartModule, readSmartModule } from '#contract/smartModule.ts';
import { aWebServer } from '#test/webServer.ts';
import { aDevice, connected, rewrite, test } from '../devices/devicePage.ts';
import { copied, deaf, expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';

const list = ({ id }: Project) => `/projects/${id}/smart_modules`;
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('an e-mail for a sensor above 30 for five minutes takes only an example and two presses', async ({
  page,
  developer,
  project,
}) => {
  test.slow();
  await page.goto(list(project));
  await expect(page.getByRole('heading', { name: 'No smart modules yet' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Types' }).getByRole('listitem')).toHaveCount(6);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'E-mail me when a sensor is above 30' }).click();
  await expect(page.getByRole('heading', { name: 'New rule' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await expect(panel(page, 'Rule').getByText('Reads well.')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'For: 5 min' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: `Action 1: e-mail ${developer.email}` })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create rule' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Too warm');
  await page.getByRole('button', { name: 'Create and turn on' }).click();
  await expect(page).toHaveURL(/\/smart_modules\/too-warm$/);
  const params = { projectId: project.id, moduleId: 'too-warm' };
  expect(await developer.client.call(readSmartModule, { params })).toMatchObject({
    subscribedEvents: ['_state_'],
    configData: { forS: 300, actions: [{ kind: 'email', to: 'addresses', addresses: [developer.email] }] },
  });

  // An error is reported, underlined at its position, and cannot be saved.
  const condition = panel(page, 'Condition').getByRole('textbox', { name: 'Condition' });
  await rewrite(condition, 'state.temperature >');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save rule' })).toBeDisabled();
  await rewrite(condition, 'state.temperature > 35');
  await condition.press('Tab');
  await expect(condition).not.toBeFocused();
  await page.getByRole('button', { name: 'Save rule' }).click();
  await expect(page.getByText('Smart module saved')).toBeVisible();

  // Actions are added, moved and removed by keyboard.
  await page.getByRole('button', { name: 'Add action' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Raise an alert' }).press('Enter');
  await page.getByRole('textbox', { name: 'Text' }).fill('It is {{ state.temperature }} °C');
  await page.getByRole('button', { name: 'More for action 2' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Move up' }).press('Enter');
  await page.getByRole('button', { name: 'Save rule' }).click();
  await expect(page.getByText('Unsaved changes')).toBeHidden();
  const { configData } = await developer.client.call(readSmartModule, { params });
  expect((configData.actions as { kind: string }[]).map(({ kind }) => kind)).toEqual(['alert', 'email']);
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);

  // While the condition holds, the screen says when the rule will act.
  const kitchen = await aDevice(developer, project, { name: 'Kitchen' });
  await using hardware = await connected(developer, kitchen);
  await hardware.say('state', { temperature: 36 });
  await page.goto(`${list(project)}/too-warm/runs`);
  await expect(panel(page, 'Now')).toContainText(/1 device, acts at \d\d:\d\d/);
});

test('a webhook with errors at its fields is corrected, created, suspended, resumed and deleted', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('422 POST /api/projects/*/smartModules');
  test.slow();
  let status = 410;
  await using receiver = await aWebServer((_request, response) => response.writeHead(status).end());
  await page.goto(`${list(project)}?new=webhook`);
  await page.getByLabel('Module id').fill('crm events');
  await page.getByLabel('Subscribed events').fill('motion\nPRESS motion a--b');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await expect(page.getByText('INVALID_FORMAT')).toHaveCount(2);
  await expect(page.getByText('Not an event name: a--b')).toBeVisible();
  await page.getByLabel('Module id').fill('crm-events');
  await page.getByLabel('Subscribed events').fill('motion\nPRESS motion _state_');
  await page.getByLabel('Address').fill('ftp://example.com');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await expect(page.getByText('INVALID_MODULE_CONFIG')).toBeVisible();
  await expect(page.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  // Unsaved input is not lost by accident.
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByLabel('Address').fill(`http://127.0.0.1:${receiver.port}/hooks`);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await expect(page).toHaveURL(/\/smart_modules\/crm-events$/);
  await expect(panel(page, 'Deliveries')).toContainText('No deliveries yet.');
  await expect(panel(page, 'Retry schedule').getByRole('listitem')).toHaveCount(7);
  await expectAccessible(page);
  const params = { projectId: project.id, moduleId: 'crm-events' };
  const { subscribedEvents } = await developer.client.call(readSmartModule, { params });
  expect(subscribedEvents).toEqual(['_state_', 'motion', 'PRESS']);

  // The secret is never read back; a new one is shown once.
  await page.getByRole('button', { name: 'New signing secret' }).click();
  await page.getByRole('button', { name: 'Create new secret' }).click();
  await expect(page.getByRole('dialog', { name: 'New signing secret' })).toContainText('whsec_');
  await copied(page, () => page.getByRole('button', { name: /^Copy signing secret/ }).click());
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await page.getByRole('link', { name: 'Configuration', exact: true }).click();
  await expect(page.getByText(/^Set, …/)).toBeVisible();
  await page.getByRole('button', { name: 'Replace signing secret' }).click();
  await expect(page.getByLabel('Signing secret')).toHaveValue('');
  await page.getByRole('button', { name: 'Keep the current one' }).click();
  await expectAccessible(page);

  // A receiver that answers 410 suspends the webhook. Once it is resumed, failed deliveries are repeated with one
  // press.
  await using hardware = await connected(developer, await aDevice(developer, project));
  await hardware.say('events/PRESS', {});
  await expect(panel(page, 'Suspended')).toContainText('The address answered 410 Gone');
  await panel(page, 'Suspended').getByRole('button', { name: 'Resume' }).click();
  const failed = panel(page, 'Failed');
  await expect(failed).toContainText('1 delivery failed, the last one');
  await expectAccessible(page);
  status = 200;
  await failed.getByRole('button', { name: 'Recover now' }).click();
  await expect(page.getByText('Retrying 1 delivery')).toBeVisible();
  await expect(failed).toBeHidden();
  await expect.poll(() => receiver.asked.length).toBe(2);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Suspend module' }).click();
  await page.getByRole('button', { name: 'Suspend module' }).click();
  await expect(panel(page, 'Suspended')).toContainText('This module is suspended.');
  await panel(page, 'Suspended').getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Running', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete module' }).click();
  await expect(page.getByText('Do you really want to delete smart module crm-events?')).toBeVisible();
  await page.getByRole('button', { name: 'Delete smart module' }).click();
  await expect(page.getByRole('heading', { name: 'No smart modules yet' })).toBeVisible();
  expectRefused('404 GET /api/projects/*/smartModules/crm-events');
  await page.goto(`${list(project)}/crm-events`);
  await expect(page.getByText('Smart module crm-events does not exist.')).toBeVisible();
});

test('a table keeps versions, a viewer reads, two editors overwrite nothing unseen, and the list finds it', async ({
  page,
  developer,
  open,
  aMember,
  project,
  expectRefused,
}) => {
  expectRefused(
    '422 PUT /api/projects/*/smartModules/tariffs/data',
    '409 PATCH /api/projects/*/smartModules/to-home',
  );
  test.slow();
  const params = { projectId: project.id };
  await developer.client.call(createSmartModule, {
    params,
    body: { id: 'tariffs', moduleType: 'table', bulkDataLabel: 'tariffs', configData: { key: 'tag' } },
  });
  await page.goto(`${list(project)}/tariffs`);
  await page.getByRole('button', { name: 'Enter data' }).click();
  await page.getByRole('textbox', { name: 'Rows' }).fill('tag,price\nhall-01,0.31\nhall-01,0.28');
  await page.getByRole('button', { name: 'Save data' }).click();
  await expect(page.getByText('TABLE_UNFIT')).toBeVisible();
  await expect(page.getByText('Row 1 has the same key.')).toHaveCount(1);
  // Data that is too large for one request is reported before it is sent.
  const large = `tag,note\n${`hall-01,${'x'.repeat(1000)}\n`.repeat(1100)}`;
  const file = { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.from(large) };
  await page.getByLabel('File (optional)').setInputFiles(file);
  await page.getByRole('button', { name: 'Save data' }).click();
  await expect(page.getByText('TOO_LONG')).toBeVisible();
  await page.getByRole('textbox', { name: 'Rows' }).fill('tag,price\nhall-01,0.31\ncellar-05,0.28');
  await page.getByRole('button', { name: 'Save data' }).click();
  await expect(page.getByRole('table', { name: 'Data' }).getByRole('row')).toHaveCount(3);
  await page.getByRole('button', { name: 'Edit data' }).click();
  await page.getByRole('textbox', { name: 'Rows' }).fill('[{"tag":"hall-01","price":0.4}]');
  await page.getByRole('button', { name: 'Save data' }).click();
  await expect(page.getByRole('table', { name: 'Data' }).getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByRole('button', { name: 'Restore version', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Data' }).getByRole('row')).toHaveCount(3);

  const viewer = await open(await aMember(project, 'viewer'));
  await viewer.goto(`${list(project)}/tariffs/configuration`);
  await expect(panel(viewer, 'Configuration')).toContainText('Key column');
  await expect(viewer.getByRole('textbox')).toHaveCount(0);
  await expect(viewer.getByRole('button', { name: 'More actions' })).toHaveCount(0);
  await expectAccessible(viewer);

  const body = {
    id: 'to-home',
    moduleType: 'notify',
    configData: { subject: 'Alert', text: 'Old' },
  } as const;
  await developer.client.call(createSmartModule, { params, body });
  const ofNotice = { params: { ...params, moduleId: 'to-home' } };
  await deaf(page);
  await page.goto(`${list(project)}/to-home/configuration`);
  await page.getByLabel('Subject').fill('Mine');
  await developer.client.call(editSmartModule, {
    ...ofNotice,
    body: { configData: { subject: 'Alert', text: 'Theirs' } },
  });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const notice = page.getByRole('alert', { name: 'Changed by someone else' });
  await expect(notice).toContainText('TextTheir versionTheirsYour versionunchanged, theirs is kept');
  await notice.getByRole('button', { name: 'Save both' }).click();
  await expect(page.getByText('Smart module saved')).toBeVisible();
  const { configData } = await developer.client.call(readSmartModule, ofNotice);
  expect(configData).toMatchObject({ subject: 'Mine', text: 'Theirs' });

  page.on('dialog', asked => void asked.accept());
  // A schedule that never occurs is reported once its field is left, even while the rest of the form is empty.
  await page.goto(`${list(project)}?new=schedule`);
  const when = page.getByLabel('When');
  await when.fill('0 0 30 2 *');
  await expect(when).not.toHaveAttribute('aria-invalid');
  await when.press('Tab');
  await expect(when).toHaveAccessibleDescription('This date never occurs, like 30 February.');
  await expect(when).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('This date never occurs')).toHaveCount(1);
  await when.fill('0 7 * * 1-5');
  await expect(page.getByRole('list', { name: 'Next times' }).getByRole('listitem')).toHaveCount(5);

  await page.goto(`${list(project)}?q=tariff`);
  await expect(page.getByRole('link', { name: 'tariffs' })).toBeVisible();
  await page.getByLabel('Type').selectOption('rule');
  await expect(page.getByText('No matching smart modules')).toBeVisible();
});
