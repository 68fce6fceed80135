import { gunzipSync } from 'node:zlib';
import { readCommand, sendCommand } from '#contract/command.ts';
import { createTemporaryKey, type Device, readDevice } from '#contract/device.ts';
import { editDeviceClass } from '#contract/deviceClass.ts';
import { listDeviceEvents, readDeviceState, writeDesired } from '#contract/deviceState.ts';
import { createLogRequest, readLogRequest } from '#contract/logRequest.ts';
import { editProject } from '#contract/project.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { deviceAddress, test } from '../devices/devicePage.ts';
import { expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';

/** The address at which the console opens the simulator of a device. */
async function simulated({ client }: Newcomer, device: Device) {
  const params = { deviceId: device.id };
  const { token, expirationTime } = await client.call(createTemporaryKey, { params });
  const query = new URLSearchParams({
    deviceId: device.id,
    apiKey: token,
    exp: expirationTime,
    claimCode: device.claimCode ?? '',
    onboard: '1',
  });
  return { params, token, address: `/devicesim/?${query}`, call: client.call };
}

test('the platform sees a simulated device connect, report, receive and disconnect', async ({
  page,
  developer,
  device,
}) => {
  const { params, token, address, call } = await simulated(developer, device);
  await page.goto(address);
  await expect(page).toHaveURL(/\/devicesim\/$/);
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible();
  expect(await call(readDevice, { params })).toMatchObject({
    connectionStatus: 'connected',
    connection: { protocol: 'websocket' },
  });
  expect(await page.content()).not.toContain(token);

  await page.getByLabel('Event name').fill('door');
  await page.getByRole('button', { name: 'Send event' }).click();
  await expect(page.getByRole('list', { name: 'Sent events' })).toContainText('stored');
  const lately = { begin: new Date(Date.now() - 3600_000), end: new Date(Date.now() + 60_000) };
  const query = { begin: lately.begin.toISOString(), end: lately.end.toISOString() };
  expect(await call(listDeviceEvents, { params, query })).toMatchObject([
    { name: 'door', payload: { button: 'up' } },
  ]);

  await call(writeDesired, { params, body: { desired: { fan: { on: true }, level: 40 } } });
  await expect(page.getByRole('switch', { name: 'on' })).toBeChecked();
  await page.getByRole('switch', { name: 'on' }).click();
  const slider = page.getByRole('slider', { name: 'level' });
  // A value that changes meanwhile does not overwrite the focused field.
  const typed = page.getByLabel('level, as a number');
  await typed.focus();
  await call(writeDesired, { params, body: { desired: { level: 45 } } });
  await expect(slider).toHaveValue('45');
  await expect(typed).toHaveValue('40');
  await typed.fill('50');
  await typed.press('Enter');
  await expect(slider).toHaveValue('50');
  await slider.fill('55');
  await expect
    .poll(async () => (await call(readDeviceState, { params })).reported)
    .toEqual({ fan: { on: false }, level: 55 });

  await page.reload();
  await expect(page.getByRole('slider', { name: 'level' })).toHaveValue('55');
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible();

  await page.getByRole('button', { name: 'Go offline' }).click();
  await expect.poll(async () => (await call(readDevice, { params })).connectionStatus).toBe('disconnected');
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect.poll(async () => (await call(readDevice, { params })).connectionStatus).toBe('connected');
});

test('commands are answered automatically, and by hand', async ({ page, developer, device }) => {
  const { params, address, call } = await simulated(developer, device);
  await page.goto(address);
  // Waits for the connection, so that the time to connect does not count.
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible();
  const ask = (name: string) => call(sendCommand, { params, body: { name, args: { times: 3 } } });
  const answer = async ({ id: commandId }: { id: string }) =>
    call(readCommand, { params: { ...params, commandId }, query: { waitMs: 10_000 } });
  expect(await answer(await ask('blink'))).toMatchObject({ stage: 'done' });

  const answers = page.getByRole('group', { name: 'Answer commands' });
  await answers.getByRole('button', { name: 'Manually' }).click();
  const open = await ask('open');
  await page.getByLabel('Result or error of open').fill('{"opened":true}');
  await page.getByRole('button', { name: 'Answer OK' }).click();
  expect(await answer(open)).toMatchObject({ stage: 'done', result: { opened: true } });
  const close = await ask('close');
  await page.getByLabel('Result or error of close').fill('The door is stuck.');
  await page.getByRole('button', { name: 'Fail' }).click();
  expect(await answer(close)).toMatchObject({ stage: 'failed', error: 'The door is stuck.' });
  await expect(page.getByRole('list', { name: 'Commands' })).toContainText('failed');
});

test('the log of the simulated device is uploaded on request', async ({
  page,
  developer,
  device,
  project,
}) => {
  const { params, address, call } = await simulated(developer, device);
  const { id: projectId } = project;
  await call(editProject, { params: { projectId }, body: { enableDeviceLogRetrieval: true } });
  await page.goto(`${address}#log`);
  await page.getByLabel('Line', { exact: true }).fill('wifi: connected');
  await page.getByRole('button', { name: 'Write line' }).click();
  const range = { start: new Date(Date.now() - 3600_000), end: new Date(Date.now() + 60_000) };
  const { id: requestId } = await call(createLogRequest, {
    params,
    body: { start: range.start.toISOString(), end: range.end.toISOString(), prefixes: ['wifi'] },
  });
  await expect(page.getByRole('list', { name: 'Log requests' })).toContainText('uploaded');
  const { status, url } = await call(readLogRequest, { params: { ...params, requestId } });
  expect(status).toBe('success');
  const file = Buffer.from(await (await fetch(url ?? '')).arrayBuffer());
  expect(JSON.parse(gunzipSync(file).toString())).toMatchObject({ level: 2, text: 'wifi: connected' });
});

test('the simulator asks for a key if it has none, and says what is wrong with a key', async ({
  page,
  device,
}) => {
  await page.goto('/devicesim/');
  await expectAccessible(page);
  await page.getByLabel('Device id').fill(device.id);
  await page.keyboard.press('Tab');
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The device id or its key is wrong, or the key has expired.')).toBeVisible();
  await page.getByRole('button', { name: 'Another device' }).click();
  await page.getByLabel('Device id').fill(device.id);
  await page.getByLabel('API key').fill(device.apiKey);
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible();
});

test('a device that never reported shows what its class expects, and reports that with one click', async ({
  page,
  developer,
  device,
  project,
}) => {
  const schemas = {
    stateSchema: {
      properties: {
        target: { type: 'number', unit: '°C', minimum: 5, maximum: 30 },
        fan: { type: 'object', properties: { mode: { enum: ['low', 'high'] } } },
      },
      additionalProperties: false,
    },
    eventSchemas: { opened: { type: 'object', properties: { times: { type: 'integer', minimum: 3 } } } },
  };
  const of = { params: { classId: 'thermostat' }, query: { projectId: project.id } };
  await developer.client.call(editDeviceClass, { ...of, body: schemas });
  await page.goto(deviceAddress(device));
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open simulator' }).click();
  const simulator = await opening;
  const expected = simulator.getByRole('table', { name: 'What the device will report' });
  await expect(expected.getByRole('row', { name: 'target' })).toContainText('17.55 to 30 °C');
  await expect(expected.getByRole('row', { name: 'fan.mode' })).toContainText('"low"low, high');
  await expectAccessible(simulator);
  await simulator.reload();
  await simulator.getByRole('button', { name: 'Report these values' }).click();
  const params = { deviceId: device.id };
  await expect
    .poll(async () => (await developer.client.call(readDeviceState, { params })).reported)
    .toEqual({ target: 17.5, fan: { mode: 'low' } });
  await expect(expected).toHaveCount(0);
  await expect(simulator.getByLabel('Event name')).toHaveValue('opened');
  await simulator.getByRole('button', { name: 'Send event' }).click();
  await expect(simulator.getByRole('list', { name: 'Sent events' })).toContainText('stored');
});

test('the simulator is accessible', async ({ page, developer, device }) => {
  const { address } = await simulated(developer, device);
  await page.goto(address);
  await page.getByRole('button', { name: 'Report these values' }).click();
  await page.getByRole('button', { name: 'Send event' }).click();
  await expect(page.getByRole('list', { name: 'Sent events' })).toContainText('stored');
  await expectAccessible(page);
});

for (const views of [
  ['Firmware', 'Log'],
  ['Setup', 'Traffic'],
]) {
  test(`the views ${views.join(' and ')} are accessible, and fit a phone`, async ({
    page,
    developer,
    device,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const { address } = await simulated(developer, device);
    await page.goto(address);
    for (const view of views) {
      await page.getByRole('group', { name: 'Panels' }).getByRole('button', { name: view }).click();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    }
  });
}
