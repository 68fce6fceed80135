import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { aFileServer, misconducts } from '../fileServer.ts';
import { TinyBroker } from '../tinyBroker.ts';
import { until } from '../until.ts';
import { sha256 } from '../updateRig.ts';
import { whyNoCompiler } from './cCompiler.ts';

const source = join(import.meta.dirname, '../../sdk/c');
const dir = mkdtempSync(join(tmpdir(), 'mooring-c-'));
const server = aFileServer();
const broker = new TinyBroker();
const file = Uint8Array.from({ length: 300_001 }, (_, at) => (at * 31) % 251);
const main = { component: 'main "x"', version: '2.0.0', size: file.length, sha256: sha256(file) };

beforeAll(async () => {
  await broker.open();
  if (whyNoCompiler) return;
  cpSync(source, join(dir, 'c'), { recursive: true });
  execFileSync('make', ['-B', 'CFLAGS=-O1 -Wall -Wextra -Werror -Wno-format-truncation'], {
    cwd: join(dir, 'c'),
    stdio: 'ignore',
  });
});
afterAll(async () => {
  await broker.close();
  rmSync(dir, { recursive: true });
});

function aim(sequence: number, ...more: Partial<typeof main>[]): void {
  const components = (more.length > 0 ? more : [{}]).map(one => ({
    ...main,
    ...one,
    url: `${server.url}/main`,
  }));
  broker.target = { sequence, bundleId: 'bnd_1', components };
  server.files.set('/main', file);
  server.files.set('/device/v1/target', new TextEncoder().encode(JSON.stringify(broker.target)));
  server.asked.length = 0;
  broker.published.length = 0;
}

function run(folder: string): ChildProcess {
  const args = [server.url, '127.0.0.1', String(broker.port), 'dev_1', folder];
  const child = spawn(join(dir, 'c/mooring-update'), args, {
    env: { ...process.env, MOORING_KEY: 'secret' },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const states = () =>
  broker.published.flatMap(({ topic, json }) => {
    const { state = '', code } = json as { state?: string; code?: string };
    return topic === 'progress' ? [code ?? state] : [topic];
  });
const ends = (...last: string[]) => until(() => last.find(one => states().includes(one)));

describe.skipIf(whyNoCompiler)(`the client in C ${whyNoCompiler}`, () => {
  it('completes a download after a cut and a kill, installs by renaming, and knows its version after a restart', async () => {
    const folder = mkdtempSync(join(dir, 'device-'));
    aim(1);
    server.misconduct.push(misconducts.cut(100_000), misconducts.stalls);
    const first = run(folder);
    await until(() => server.asked.length === 2 || undefined);
    first.kill('SIGKILL');
    // The server that stalls answers with the whole file: the partial download is dropped and starts over.
    run(folder);
    await ends('done');
    expect(readFileSync(join(folder, main.component))).toEqual(Buffer.from(file));
    expect(server.asked[1]).toMatch(/^bytes=\d+-$/);
    expect(new Set(states())).toEqual(
      new Set(['accepted', 'downloading', 'verifying', 'installing', 'installed', 'done']),
    );
    const installed = broker.published.find(({ topic }) => topic === 'installed')?.json;
    const { component, version, sha256: checksum } = main;
    expect(installed).toEqual({
      bundleId: 'bnd_1',
      sequence: 1,
      components: [{ component, version, sha256: checksum }],
    });
    aim(1);
    run(folder);
    await ends('installed');
    expect(server.asked).toEqual([]);
  });

  it('refuses a file with the wrong checksum, and keeps the old one if the new one does not work', async () => {
    const folder = mkdtempSync(join(dir, 'device-'));
    writeFileSync(join(folder, main.component), 'old');
    aim(2, { sha256: 'ab'.repeat(32) });
    const first = run(folder);
    await ends('hash_mismatch');
    first.kill('SIGKILL');
    writeFileSync(join(folder, '.check'), '#!/bin/sh\nexit 1\n');
    chmodSync(join(folder, '.check'), 0o755);
    aim(3);
    run(folder);
    await ends('self_test_failed');
    expect(readFileSync(join(folder, main.component), 'utf8')).toBe('old');
  });

  it('tries a target that failed again after a pause, not whenever it is sent again', async () => {
    aim(31, { sha256: 'ab'.repeat(32) });
    run(mkdtempSync(join(dir, 'device-')));
    await ends('hash_mismatch');
    await broker.tellAgain('d/dev_1/target');
    broker.target = { sequence: 32, bundleId: 'bnd_2', components: [{ ...main, url: `${server.url}/main` }] };
    server.files.set('/device/v1/target', new TextEncoder().encode(JSON.stringify(broker.target)));
    await broker.tellAgain('d/dev_1/target');
    await ends('done');
    expect(states().filter(state => state === 'hash_mismatch')).toHaveLength(1);
  });

  it('repeats the self-test before it reports success if it was killed during the self-test', async () => {
    const folder = mkdtempSync(join(dir, 'device-'));
    writeFileSync(join(folder, main.component), 'old');
    const [began, goOn] = [join(folder, 'began'), join(folder, 'go-on')];
    const check = `[ -e '${began}' ] && exit 1; touch '${began}'; until [ -e '${goOn}' ]; do sleep 0.1; done`;
    writeFileSync(join(folder, '.check'), `#!/bin/sh\n${check}\n`);
    chmodSync(join(folder, '.check'), 0o755);
    aim(5);
    const first = run(folder);
    await until(() => existsSync(began) || undefined);
    first.kill('SIGKILL');
    writeFileSync(goOn, '');
    expect(readFileSync(join(folder, main.component))).toEqual(Buffer.from(file));
    aim(5);
    run(folder);
    expect(await ends('installed', 'self_test_failed')).toBe('self_test_failed');
    expect(readFileSync(join(folder, main.component), 'utf8')).toBe('old');
  });

  it('reverts an unfinished trial when another target arrives', async () => {
    const folder = mkdtempSync(join(dir, 'device-'));
    writeFileSync(join(folder, main.component), file);
    writeFileSync(join(folder, `.old-${main.component}`), 'old');
    writeFileSync(join(folder, '.trial'), `7\n${main.sha256} ${main.component}\n`);
    aim(8, { sha256: 'ab'.repeat(32) });
    run(folder);
    await ends('hash_mismatch');
    expect(readFileSync(join(folder, main.component), 'utf8')).toBe('old');
  });

  it('uses a component with the longest name, and says so if it cannot use one', async () => {
    const folder = mkdtempSync(join(dir, 'names-'));
    const component = '温'.repeat(64);
    aim(21, { component });
    const first = run(folder);
    await ends('done');
    first.kill('SIGKILL');
    expect(existsSync(join(folder, component))).toBe(true);
    for (const name of ['a/b', '.hidden', '温'.repeat(90)]) {
      aim(22, { component: name });
      const child = run(folder);
      await ends('manifest_invalid');
      child.kill('SIGKILL');
    }
  });

  it('reports a full disk', async () => {
    const folder = mkdtempSync(join(dir, 'device-'));
    // Everything written there fails for lack of space.
    symlinkSync('/dev/full', join(folder, `.download-${main.sha256}`));
    aim(9);
    run(folder);
    expect(await ends('no_space', 'network')).toBe('no_space');
    expect(server.asked).toHaveLength(1);
  });

  it('installs one file for two components, and drops what it downloaded for other targets', async () => {
    const folder = mkdtempSync(join(dir, 'device-'));
    const leftover = join(folder, `.download-${'cd'.repeat(32)}`);
    writeFileSync(leftover, 'half of it');
    aim(10, {}, { component: 'spare' });
    run(folder);
    expect(await ends('done', 'install_failed')).toBe('done');
    expect(readFileSync(join(folder, main.component))).toEqual(Buffer.from(file));
    expect(readFileSync(join(folder, 'spare'))).toEqual(Buffer.from(file));
    expect(existsSync(leftover)).toBe(false);
  });

  it('replaces no file that it cannot back up', async () => {
    const folder = mkdtempSync(join(dir, 'device-'));
    writeFileSync(join(folder, main.component), 'old');
    // Blocks the backup of the old file, like a file system without links.
    mkdirSync(join(folder, `.old-${main.component}`));
    aim(4);
    run(folder);
    await ends('install_failed');
    expect(readFileSync(join(folder, main.component), 'utf8')).toBe('old');
  });
});
