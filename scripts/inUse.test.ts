import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { nameTag } from '#server/infra/db/embedded/ownership.ts';

const root = join(import.meta.dirname, '..');
const needed = [
  'scripts',
  'package.json',
  'package-lock.json',
  'server/runningHere.ts',
  'server/infra/errorCode.ts',
  'server/infra/startFault.ts',
  'server/infra/db/embedded/ownership.ts',
  'server/infra/db/embedded/processes.ts',
];

/** What `npm start` says in a copy of the repository whose packages were installed for this lock file. */
function start(lock: (text: string) => string, isRunning: (folder: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'mooring start ü-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of needed) cpSync(join(root, path), join(folder, path), { recursive: true });
  const hash = createHash('sha256').update(lock(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'node_modules/.mooring.json'),
    JSON.stringify({ lock: hash.digest('hex'), all: true }),
  );
  mkdirSync(join(folder, '.runtime/running'), { recursive: true });
  isRunning(join(folder, '.runtime/running'));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'start'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr, hasPackages: existsSync(join(folder, 'node_modules/.mooring.json')) };
}

const byMe = (folder: string) => writeFileSync(join(folder, String(process.pid)), nameTag());

it('a start does not build the console under a server that runs from the same folder', () => {
  const { status, stdout, stderr } = start(lock => lock, byMe);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`already running from this folder (process ${process.pid}), and its console`);
});

it('a start does not replace the packages of a server that runs from the same folder', () => {
  const { status, stdout, stderr, hasPackages } = start(lock => `${lock} of an earlier version`, byMe);
  expect([status, stdout, hasPackages]).toEqual([1, '', true]);
  expect(stderr).toContain(`already running from this folder (process ${process.pid}), and its packages`);
});

it('a server that was killed does not prevent a start', () => {
  const { stdout } = start(
    lock => lock,
    folder => writeFileSync(join(folder, '2147483646'), '2147483646\nlong ago\n'),
  );
  expect(stdout).toContain('Building the console…');
});
