import type { Page } from '@playwright/test';
import { readDeveloper } from '#contract/account.ts';
import { sendCommand } from '#contract/command.ts';
import { deleteDevice, editDevice, readDevice } from '#contract/device.ts';
import type { CommandFrame } from '#contract/deviceProtocol.ts';
import { writeDesired } from '#contract/deviceState.ts';
import { editProject } from '#contract/project.ts';
import { expect, expectAccessible } from '../world.ts';
import {
  aClass,
  aDevice,
  classAddress,
  connected,
  deviceAddress,
  openToEnd,
  rewrite,
  test,
} from './devicePage.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a device shows its properties and activity live', async ({ page, developer, aProject }) => {
  const project = await aProject();
  await aClass(developer, project, { commandSchemas: { blink: { type: 'object' } } });
  const device = await aDevice(developer, project, { name: 'Hall thermostat' });
  await openToEnd(page, device);
  await expect(page.getByText('Never connected', { exact: true })).toBeVisible();
  await using hardware = await connected(developer, device);
  await expect(page.getByRole('main').getByText('Connected', { exact: true })).toBeVisible();
  await hardware.listen('#');
  await hardware.say('state', { target: 21, mode: 'heat' });
  const state = panel(page, 'State');
  await expect(state.getByRole('row', { name: /^mode "heat" – / })).toBeVisible();
  await hardware.say('events/door', {
    open: true,
    _alert: { severity: 'warning', text: 'The door is open.' },
  });
  const activity = panel(page, 'Activity');
  await expect(activity.getByText('The door is open.')).toBeVisible();

  await state.getByRole('button', { name: 'Edit all desired state' }).click();
  const editor = page.getByRole('textbox', { name: 'Desired state' });
  await expect(editor).toBeFocused();
  await rewrite(editor, '[1]');
  await page.getByRole('button', { name: 'Save desired' }).click();
  await expect(page.getByText('INVALID_OBJECT')).toBeVisible();
  await rewrite(editor, '{"target": 22}');
  await page.getByRole('button', { name: 'Save desired' }).click();
  await expect(state.getByText('1 value differs from the desired state.')).toBeVisible();
  await expectAccessible(page);
  await hardware.say('state', { target: 22 });
  await expect(state.getByText('The device matches the desired state.')).toBeVisible();

  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('blink');
  await rewrite(dialog.getByRole('textbox', { name: 'Arguments' }), '{"seconds": 5}');
  await dialog.getByRole('button', { name: 'Send command' }).click();
  const told = await hardware.next('commands/blink');
  const { id, args } = told.payload as CommandFrame;
  expect(args).toEqual({ seconds: 5 });
  const line = activity.getByRole('listitem').filter({ hasText: 'blink' });
  await expect(line).toContainText('acknowledged');
  await hardware.say(`results/${id}`, { ok: true, result: { blinked: 5 } });
  await expect(line).toContainText('done');
  await line.getByText('blink').click();
  await expect(line.getByText('"blinked": 5')).toBeVisible();
  await expectAccessible(page);
});

test('a command to an offline device waits, and can be cancelled', async ({ page, developer, device }) => {
  await developer.client.call(sendCommand, { params: { deviceId: device.id }, body: { name: 'reboot' } });
  await openToEnd(page, device, '?show=command');
  const line = panel(page, 'Activity').getByRole('listitem').filter({ hasText: 'reboot' });
  await expect(line).toContainText('queued');
  await line.getByText('reboot').click();
  await line.getByRole('button', { name: 'Cancel command' }).click();
  await expect(line).toContainText('cancelled');
});

test('the key is masked until it is requested, and rotated with a grace period', async ({
  page,
  developer,
  device,
  project,
}) => {
  await page.goto(deviceAddress(device));
  const key = panel(page, 'Key');
  await expect(key).toContainText(device.apiKeyEnd);
  await expect(page.getByText(device.apiKey ?? '')).toHaveCount(0);
  await key.getByRole('button', { name: 'Show key' }).click();
  await expect(key.getByText(device.apiKey ?? '')).toBeVisible();
  await expect(panel(page, 'Connect')).toContainText(device.apiKey ?? '');
  await key.getByRole('button', { name: 'Temporary key' }).click();
  await expect(key.getByRole('button', { name: /^Copy temporary key/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rotate key' }).click();
  await page.getByRole('dialog').getByLabel('Old key stops working').selectOption('In 1 hour');
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Copy API key/ })).toBeVisible();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(key.getByText('works until')).toBeVisible();
  await expect(page.getByText(device.apiKey ?? '')).toHaveCount(0);

  const body = { forgetDeviceKeys: true };
  await developer.client.call(editProject, { params: { projectId: project.id }, body });
  await page.reload();
  await expect(key.getByText('Only a hash is stored')).toBeVisible();
  await expect(key.getByRole('button', { name: 'Show key' })).toHaveCount(0);
});

test('a device is renamed, checked, suspended, resumed and deleted', async ({
  page,
  developer,
  device,
  expectRefused,
}) => {
  await using hardware = await connected(developer, device);
  await page.goto(deviceAddress(device));
  await expect(page.getByRole('button', { name: 'Edit identity' })).toBeVisible();
  await page.keyboard.press('e');
  await page.getByLabel('Name').fill('Boiler room');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Boiler room' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('thermostat');
  await panel(page, 'Identity').getByRole('button', { name: 'QR', exact: true }).click();
  await expect(page.getByRole('img', { name: /as a QR code/ })).toBeVisible();
  await panel(page, 'Health')
    .getByText(/checks passed$/)
    .last()
    .click();
  await expect(panel(page, 'Health').getByRole('listitem')).toHaveCount(9);
  await panel(page, 'Presence').getByRole('button', { name: 'As table' }).click();
  await expect(page.getByRole('table', { name: 'Presence' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Suspend device' }).click();
  await page.getByRole('button', { name: 'Suspend device' }).click();
  await expect(page.getByRole('main').getByText('Suspended', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByText(/^by Mari Kask, /)).toBeVisible();
  await hardware.ended();
  await expect(panel(page, 'Presence').getByRole('cell', { name: 'suspended' })).toBeVisible();
  await panel(page, 'Presence').getByRole('button', { name: 'As strip' }).click();
  await panel(page, 'Presence')
    .getByRole('button', { name: /, disconnected for / })
    .click();
  await expect(panel(page, 'Presence').getByText('The device was suspended.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Resume device' }).click();
  await page.getByRole('button', { name: 'Resume device' }).click();
  await expect(page.getByRole('main').getByText('Disconnected', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete device' }).click();
  await expect(page.getByText('Do you really want to delete device Boiler room?')).toBeVisible();
  await page.getByRole('button', { name: 'Delete device' }).click();
  await expect(page).toHaveURL(/thermostat\/instances$/);
  await expect(page.getByText('No thermostat yet')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  expectRefused(/^404 GET \/api\/devices\/\w+(\/state)?$/);
  await page.goto(deviceAddress(device));
  await expect(page.getByText(`Device ${device.id} does not exist.`)).toBeVisible();
});

test('a figure of a device that could not be loaded says so', async ({ page, developer, device }) => {
  await using _ = await connected(developer, device);
  await page.route(/\/(presence|commands|quarantine)\?/, route => route.fulfill({ status: 404, json: {} }));
  await page.goto(deviceAddress(device));
  const figures = panel(page, 'Presence').getByRole('definition');
  await expect(figures.filter({ hasText: 'could not be loaded' })).toHaveCount(3);
});

test('the installed firmware of a device is not guessed before it is known', async ({ page, device }) => {
  const path = `**/api/devices/${device.id}/firmware`;
  await page.route(path, route => route.fulfill({ status: 429, json: { reason: 'TOO_MANY_REQUESTS' } }));
  await page.goto(deviceAddress(device));
  const firmware = panel(page, 'Firmware');
  await expect(firmware.getByText('Firmware on the device could not be loaded')).toBeVisible();
  await expect(firmware.getByText('Not reported')).toHaveCount(0);
  await expect(firmware.getByRole('button', { name: 'Retry' })).toBeVisible();
  await page.unroute(path);
  await page.reload();
  await expect(firmware.getByText('Not reported')).toBeVisible();
});

test('two users who edit the desired state overwrite nothing unseen', async ({ page, developer, device }) => {
  const desire = (desired: Record<string, never>) =>
    developer.client.call(writeDesired, { params: { deviceId: device.id }, body: { desired } });
  await page.goto(deviceAddress(device));
  await panel(page, 'State').getByRole('button', { name: 'Set desired state' }).click();
  await rewrite(page.getByRole('textbox', { name: 'Desired state' }), '{"mine": 1}');
  await desire({ theirs: 1 } as never);
  await expect(page.getByRole('alert', { name: 'Changed by someone else' })).toBeVisible();
  await page.getByRole('button', { name: 'Overwrite with yours' }).click();
  await expect(panel(page, 'State').getByRole('row', { name: /mine/ })).toBeVisible();
  await expect(panel(page, 'State').getByRole('row', { name: /theirs/ })).toHaveCount(0);
});

test('the system log shows what the platform recorded, and continues by itself', async ({
  page,
  developer,
  device,
}) => {
  await page.goto(deviceAddress(device, '/system_logs?view=today'));
  const log = panel(page, 'System log');
  await using _ = await connected(developer, device);
  await expect(log.getByText(/Connected over MQTT/)).toBeVisible();
  await expectAccessible(page);
});

test('a viewer sees a device but cannot change anything', async ({ aMember, open, device, project }) => {
  const page = await open(await aMember(project, 'viewer'));
  await page.goto(deviceAddress(device));
  await expect(panel(page, 'State')).toBeVisible();
  for (const name of ['Send command', 'Open simulator', 'More actions', 'Show key', 'Create pair', /^Edit/])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await expectAccessible(page);
  // A link to what needs a higher role says so, and leaves the screen as it is.
  await page.goto(`/projects/${project.id}/devices#new`);
  await expectNotAllowed(page, 'Add device');
  await expect(page).toHaveURL(/devices$/);
  await expect(page.getByRole('link', { name: device.tag })).toBeVisible();
  for (const [hash, label] of [
    ['command', 'Send command'],
    ['rotate', 'Rotate key'],
  ] as const) {
    await page.goto(deviceAddress(device, `#${hash}`));
    await expectNotAllowed(page, label);
    await expect(page).toHaveURL(new RegExp(`${device.id}$`));
  }
  await page.goto(classAddress(project, `/${device.deviceClass}/instances#import`));
  await expectNotAllowed(page, 'Import devices');
});

async function expectNotAllowed(page: Page, label: string): Promise<void> {
  const sentence = `${label}: your role in this project does not allow this. Ask an owner.`;
  await expect(page.getByRole('status').getByText(sentence)).toBeVisible();
}

test('changes that somebody else makes to the device are shown, including its deletion', async ({
  page,
  developer,
  device,
  expectRefused,
}) => {
  await page.goto(deviceAddress(device));
  const params = { deviceId: device.id };
  await developer.client.call(editDevice, { params, body: { name: 'Renamed' } });
  await expect(page.getByRole('heading', { level: 1, name: 'Renamed' })).toBeVisible();
  expect(await developer.client.call(readDevice, { params })).toMatchObject({ name: 'Renamed' });
  await page.getByRole('button', { name: 'Send command' }).focus();
  // All that the screen shows of the device may be read again.
  expectRefused(/^404 GET \/api\/devices\/\w+(\/\w+)?$/);
  await developer.client.call(deleteDevice, { params });
  await expect(page.getByText(`Device ${device.id} does not exist.`)).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('the simulator opens as this device, in a new window', async ({ page, context, developer, device }) => {
  await page.goto(deviceAddress(device));
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Open simulator' }).click();
  await expect(await opened).toHaveURL(/\/devicesim\//);
  await expect(page.getByRole('main').getByText('Connected', { exact: true })).toBeVisible();
  await expect(panel(page, 'Presence')).toContainText('with a temporary key');
  const params = { developerId: developer.developer.id };
  // Recorded while the window opens, which does not wait for it.
  const { call } = developer.client;
  await expect
    .poll(async () => (await call(readDeveloper, { params })).onboardStates.launched_dev_sim)
    .toBeDefined();
});

test('an event that arrives while the live link is connecting is not missed', async ({
  page,
  developer,
  device,
}) => {
  const onItsWay = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/live\?/, async link => {
    await onItsWay.promise;
    link.connectToServer();
  });
  const read = page.waitForResponse(/\/events\?/);
  await openToEnd(page, device);
  await read;
  await using hardware = await connected(developer, device);
  await hardware.say('events/door', { _alert: { severity: 'warning', text: 'The door is open.' } });
  onItsWay.resolve();
  await expect(panel(page, 'Activity').getByText('The door is open.')).toBeVisible();
});
