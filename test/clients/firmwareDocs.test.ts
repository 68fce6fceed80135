import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { updateCodes } from '#contract/deviceWire.ts';
import { aFileServer, misconducts } from '../fileServer.ts';
import { until } from '../until.ts';
import { sha256 } from '../updateRig.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/firmware.md'), 'utf8');
const script = /```sh\n([^`]+)```/.exec(page)?.[1] ?? '';
const server = aFileServer();
const hasShell = (() => {
  try {
    execFileSync('sh', ['-c', 'command -v curl sha256sum'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const file = Uint8Array.from({ length: 200_000 }, (_, at) => (at * 31) % 251);

function aim(sequence: number, checksum = sha256(file)): void {
  const main = { component: 'main', version: '2.0.0', size: file.length, sha256: checksum };
  const components = [{ ...main, url: `${server.url}/main`, securityVersion: 0 }];
  const target = JSON.stringify({ sequence, bundleId: 'bnd_1', deviceClass: 'lamp', components });
  server.files.set('/main', file);
  server.files.set('/device/v1/target', new TextEncoder().encode(target));
  server.posted.length = 0;
}

/** Runs exactly the code on the page. */
function aDevice(selfTest: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-sh-'));
  writeFileSync(join(folder, 'self-test'), `#!/bin/sh\n${selfTest}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'firmware'), 'old');
  const env = { ...process.env, URL: server.url, DEVICE: 'dev_1', KEY: 'secret', EVERY_S: '0.05' };
  const child: ChildProcess = spawn('sh', ['-c', script], {
    cwd: folder,
    env,
    stdio: 'ignore',
    detached: true,
  });
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

const said = () =>
  server.posted.map(({ path, json }) => {
    const { state, code } = json as { state?: string; code?: string };
    return code ?? state ?? path.split('/').at(-1) ?? '';
  });
const ends = (word: string) => until(() => said().includes(word) || undefined);

it.runIf(hasShell)(
  'the device on the firmware page updates itself despite cuts and a wrong range',
  async () => {
    aim(1);
    server.misconducts.set('/main', [misconducts.cut(80_000), misconducts.whole, misconducts.cut(50_000)]);
    const folder = aDevice('exit 0');
    await ends('installed');
    expect(readFileSync(join(folder, 'firmware'))).toEqual(Buffer.from(file));
    expect([...new Set(said())]).toEqual(['downloading', 'verifying', 'installing', 'installed']);
    expect(server.posted.at(-1)?.json).toMatchObject({
      bundleId: 'bnd_1',
      sequence: 1,
      components: [{ component: 'main', version: '2.0.0', sha256: sha256(file) }],
    });
  },
);

it.runIf(hasShell)('the device on the firmware page keeps a version that works', async () => {
  aim(2, 'ab'.repeat(32));
  const folder = aDevice('exit 1');
  await ends('hash_mismatch');
  aim(3);
  await ends('self_test_failed');
  await until(() => readFileSync(join(folder, 'firmware'), 'utf8') === 'old' || undefined);
});

it('the firmware page names every code, in the row of its class', () => {
  for (const [code, kind] of Object.entries(updateCodes))
    expect(page.split('\n').find(line => line.startsWith(`| ${kind} |`))).toContain(`\`${code}\``);
});
