import { gzipSync } from 'node:zlib';
import type { LogRequestFrame } from '#contract/deviceProtocol.ts';
import { cancelLogRequest, createLogRequest } from '#contract/logRequest.ts';
import { editProject } from '#contract/project.ts';
import { expect, expectAccessible } from '../world.ts';
import { connected, deviceAddress, test } from './devicePage.ts';

test('the log of a device is requested, uploaded, read and downloaded', async ({
  page,
  developer,
  device,
  project,
}) => {
  const body = { enableDeviceLogRetrieval: true };
  await developer.client.call(editProject, { params: { projectId: project.id }, body });
  await using hardware = await connected(developer, device);
  await hardware.listen('logRequests/#');
  await page.goto(deviceAddress(device, '/device_logs'));
  await expect(page.getByText('Request the device’s own log')).toBeVisible();
  await expectAccessible(page);

  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('From').fill('2026-11-20T10:00');
  await dialog.getByLabel('To').fill('2026-11-20T09:00');
  await dialog.getByRole('button', { name: 'Request log' }).click();
  await expect(dialog.getByText('Start date must be before end date.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('To').fill('12026-11-20T09:00');
  await dialog.getByLabel('Prefixes').fill(`wifi, ${'x'.repeat(101)}`);
  await dialog.getByRole('button', { name: 'Request log' }).click();
  await expect(dialog.getByText('This is not valid.')).toBeVisible();
  await expect(dialog.getByText('This is too long.')).toBeVisible();
  await dialog.getByLabel('To').fill('2026-11-20T11:00');
  await dialog.getByLabel('Prefixes').fill(' wifi ,  sensor,');
  await dialog.getByRole('button', { name: 'Request log' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(
    page.getByText('There is a log request in pending. Please cancel it before creating a new one.'),
  ).toBeVisible();
  const row = page.getByRole('row', { name: /Pending/ });
  await expect(row).toContainText('wifi, sensor');

  const told = () => hardware.heard.find(({ topic }) => topic.startsWith('logRequests/'));
  await expect.poll(told).toBeDefined();
  const { uploadUrl = '', prefixes } = (told()?.payload ?? {}) as Partial<LogRequestFrame>;
  expect(prefixes).toEqual(['wifi', 'sensor']);
  const lines = Array.from({ length: 3000 }, (_, i) =>
    JSON.stringify({ ts: '2026-11-20T10:30:00.000Z', level: i % 4, text: `wifi: attempt ${i}` }),
  );
  const sent = await fetch(uploadUrl, { method: 'PUT', body: gzipSync(`${lines.join('\n')}\n`) });
  expect(sent.status).toBe(204);

  const done = page.getByRole('row', { name: /Completed/ });
  await done.getByRole('button', { name: 'View' }).click();
  await expect(page).toHaveURL(/file=lrq_/);
  await expect(dialog.getByText('3,000 of 3,000 lines')).toBeVisible();
  await expect(dialog.getByText('wifi: attempt 0', { exact: true })).toBeVisible();
  await dialog.getByLabel('Filter these lines').fill('attempt 2999');
  await expect(dialog.getByText('1 of 3,000 lines')).toBeVisible();
  await expect(dialog.getByText('wifi: attempt 2999')).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.gz$/);
  await page.route('**/files/**', route => route.fulfill({ status: 404 }));
  await dialog.getByRole('button', { name: 'Download' }).click();
  await expect(dialog.getByText('This file cannot be downloaded.')).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await done.getByRole('button', { name: 'Download' }).click();
  await expect(page.getByText('This file cannot be downloaded.')).toBeVisible();
});

test('a request is cancelled only after confirmation', async ({
  page,
  developer,
  device,
  project,
  expectRefused,
}) => {
  expectRefused('409 DELETE /api/devices/*/logRequests/*');
  const body = { enableDeviceLogRetrieval: true };
  await developer.client.call(editProject, { params: { projectId: project.id }, body });
  await page.goto(deviceAddress(device, '/device_logs#new'));
  await page.getByRole('dialog').getByRole('button', { name: 'Request log' }).click();
  await expect(page.getByRole('button', { name: 'Cancel request' })).toBeVisible();
  // Even if new requests are no longer allowed.
  const off = { enableDeviceLogRetrieval: false };
  await developer.client.call(editProject, { params: { projectId: project.id }, body: off });
  await expect(page.getByText('Log retrieval is disabled in this project.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel request' }).click();
  await expect(page.getByText('Do you really want to cancel the log request id')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel log request' }).click();
  await expect(page.getByRole('row', { name: /Cancelled/ })).toBeVisible();
  await page.getByRole('button', { name: 'Failed' }).click();
  await expect(page).toHaveURL(/status=failure/);
  await expect(page.getByText('No matching log requests')).toBeVisible();

  await developer.client.call(editProject, { params: { projectId: project.id }, body });
  const params = { deviceId: device.id };
  const range = { start: '2026-11-20T00:00:00Z', end: '2026-11-20T01:00:00Z', prefixes: [] };
  const { id: requestId } = await developer.client.call(createLogRequest, { params, body: range });
  await page.goto(deviceAddress(device, '/device_logs'));
  await page.getByRole('button', { name: 'Cancel request' }).click();
  await developer.client.call(cancelLogRequest, { params: { ...params, requestId } });
  await page.getByRole('button', { name: 'Cancel log request' }).click();
  await expect(page.getByText('Unable to cancel request - LOG_REQUEST_OVER')).toBeVisible();
});

test('the screen says that log retrieval is disabled', async ({ page, device }) => {
  await page.goto(deviceAddress(device, '/device_logs'));
  await expect(page.getByText('Log retrieval is disabled in this project.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Request log' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Turn on in settings' }).click();
  await expect(page.getByRole('region', { name: 'Options' })).toBeVisible();
});

test('the live log runs while somebody watches it', async ({ page, developer, device }) => {
  await using hardware = await connected(developer, device);
  await hardware.listen('log/wanted');
  await page.goto(deviceAddress(device, '/device_logs'));
  await expect.poll(() => hardware.heard.at(-1)?.payload).toEqual({ wanted: true });
  // The device is asked for its log when the page starts to load; lines sent before the panel exists are lost.
  await expect(
    page.getByRole('region', { name: 'Live log' }).getByText('listening', { exact: true }),
  ).toBeVisible();
  await hardware.say('log', { level: 1, text: 'valve calibration drifted' }, { qos: 0 });
  await expect(page.getByText('valve calibration drifted')).toBeVisible();
  await expectAccessible(page);
});
