import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDevice } from '#contract/device.ts';
import { readDeviceState } from '#contract/deviceState.ts';
import { deviceAddress, test } from '../devices/devicePage.ts';
import { copied, expect } from '../world.ts';

test('the TypeScript example connects a device from a new folder', async ({ page, developer, device }) => {
  await page.goto(deviceAddress(device));
  const connect = page.getByRole('region', { name: 'Connect', exact: true });
  await connect.getByRole('button', { name: 'TypeScript' }).click();
  const text = await copied(page, () => connect.getByRole('button', { name: /^Copy/ }).click());
  const lines = text.replace('YOUR_DEVICE_KEY', device.apiKey);
  const folder = mkdtempSync(join(tmpdir(), 'mooring-sdk-'));
  const [, install = ''] = /^\/\/ (npm install \S+)/.exec(lines) ?? [];
  execFileSync('sh', ['-c', `${install} --no-audit --no-fund`], { cwd: folder, stdio: 'ignore' });
  writeFileSync(join(folder, 'device.mjs'), lines);
  const running = spawn(process.execPath, ['device.mjs'], { cwd: folder, stdio: 'ignore' });
  try {
    const params = { deviceId: device.id };
    await expect
      .poll(async () => (await developer.client.call(readDeviceState, { params })).reported)
      .toEqual({ temperature: 21.5 });
    expect((await developer.client.call(readDevice, { params })).connectionStatus).toBe('connected');
  } finally {
    running.kill();
    rmSync(folder, { recursive: true });
  }
});
