import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createBundle } from '#contract/bundle.ts';
import { createChannel } from '#contract/channel.ts';
import type { Device } from '#contract/device.ts';
import { type DeviceUpdate, readDeviceFirmware } from '#contract/deviceFirmware.ts';
import { aGatewayWorld } from '../gatewayWorld.ts';
import { until } from '../until.ts';
import { aReadyVersion } from '../versions.ts';
import { unique } from '../world.ts';
import { whyNoCompiler } from './cCompiler.ts';

const at = aGatewayWorld();
const root = join(import.meta.dirname, '../..');
const dir = mkdtempSync(join(tmpdir(), 'mooring-devices-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A device of a class whose channel points at a bundle with this file. */
async function aDeviceWithTarget(content: Buffer) {
  const { id: deviceClass } = await at.deviceClass();
  const version = await aReadyVersion(at.world, at.owner, at.projectId, { content });
  const { call } = at.owner.client;
  const bundle = await call(createBundle, {
    body: { projectId: at.projectId, deviceClass, name: unique('bundle'), componentVersionIds: [version.id] },
  });
  await call(createChannel, { body: { projectId: at.projectId, deviceClass, bundleId: bundle.id } });
  return { device: await at.device({ deviceClass }), bundle, version };
}

function run(program: string, args: string[], env: Record<string, string>, cwd: string): void {
  const child: ChildProcess = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'ignore',
    detached: true,
  });
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
}

/** Resolves once the platform shows that the device runs the bundle. */
async function untilRuns({ id }: Device, bundleId: string): Promise<void> {
  await until(async () => (await at.read({ id })).bundleInstalled === bundleId || undefined);
  await untilUpdate(id, ({ bundle, state }) => bundle?.id === bundleId && state === 'done');
}

/** A device's report and its downloaded bytes are stored separately, one after the other. */
const untilUpdate = (deviceId: string, isSo: (current: DeviceUpdate) => boolean) =>
  until(async () => {
    const { current } = await at.owner.client.call(readDeviceFirmware, { params: { deviceId } });
    return (current && isSo(current)) || undefined;
  });

describe('at the real platform', () => {
  it('the device on the firmware page updates itself', async () => {
    const content = randomBytes(300_000);
    const { device, bundle } = await aDeviceWithTarget(content);
    const folder = mkdtempSync(join(dir, 'sh-'));
    writeFileSync(join(folder, 'self-test'), '#!/bin/sh\n', { mode: 0o755 });
    const page = readFileSync(join(root, 'docs/firmware.md'), 'utf8');
    const script = /```sh\n([^`]+)```/.exec(page)?.[1] ?? '';
    const { id: DEVICE, apiKey: KEY = '' } = device;
    run('sh', ['-c', script], { URL: at.world.url, DEVICE, KEY, EVERY_S: '0.1' }, folder);
    await untilRuns(device, bundle.id);
    expect(readFileSync(join(folder, 'firmware'))).toEqual(content);
  });

  describe.skipIf(whyNoCompiler)(`the client in C ${whyNoCompiler}`, () => {
    beforeAll(() => {
      cpSync(join(root, 'sdk/c'), join(dir, 'c'), { recursive: true });
      execFileSync('make', ['-B'], { cwd: join(dir, 'c'), stdio: 'ignore' });
    });

    it('updates itself, and resumes a partial download', async () => {
      const content = randomBytes(2_000_000);
      const { device, bundle, version } = await aDeviceWithTarget(content);
      const folder = mkdtempSync(join(dir, 'device-'));
      // A partial download, as a cut leaves it.
      writeFileSync(join(folder, `.download-${version.checksum}`), content.subarray(0, 1_500_000));
      const { hostname, port } = new URL(at.url);
      const args = [at.world.url, hostname, port, device.id, folder];
      run(join(dir, 'c/mooring-update'), args, { MOORING_KEY: device.apiKey ?? '' }, folder);
      await untilRuns(device, bundle.id);
      expect(readFileSync(join(folder, bundle.components[0]?.componentName ?? ''))).toEqual(content);
      await untilUpdate(device.id, ({ bytes }) => bytes === 500_000);
    });
  });
});
