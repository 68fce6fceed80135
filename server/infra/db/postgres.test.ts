import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask, emptyFolder, silent, started, startKeeper, usedFolder } from '#test/embedded.ts';
import { isAlive, servesFolder } from './embedded/processes.ts';
import { startPostgres } from './postgres.ts';

const isRoot = process.getuid?.() === 0;

test('an external address is used as it is', async () => {
  const postgres = await startPostgres({ dataDir: '/nowhere', databaseUrl: 'postgres://a@b/c', log: silent });
  expect(postgres.url).toBe('postgres://a@b/c');
  expect(existsSync('/nowhere')).toBe(false);
  await postgres.stop();
});

test('a stop leaves no process, no lock and no pid file', async () => {
  const dataDir = emptyFolder();
  const postgres = await started({ dataDir });
  const pid = postgres.pid() ?? 0;
  expect(isAlive(pid)).toBe(true);
  await postgres.stop();
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(join(dataDir, 'mooring.pid'))).toBe(false);
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
});

test('no one can connect without the password, and only the platform can read it', async () => {
  const dataDir = await usedFolder();
  const { url } = await started({ dataDir });
  for (const [user, password] of [
    ['mooring', 'guess'],
    ['mooring', ''],
    ['postgres', new URL(url).password],
  ]) {
    const door = new URL(url);
    Object.assign(door, { username: user, password });
    await expect(ask(door.href, 'select 1')).rejects.toThrow();
  }
  expect(statSync(join(dataDir, 'postgres')).mode & 0o077).toBe(0);
  expect(statSync(join(dataDir, 'postgres/mooring.secret')).mode & 0o077).toBe(0);
  expect(await ask(url, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([
    { rolsuper: false },
  ]);
});

test('a second process on the data folder is refused and told which process uses it', async () => {
  const dataDir = await usedFolder();
  const keeper = await startKeeper(dataDir);
  await expect(startPostgres({ dataDir, log: silent })).rejects.toThrow(
    `Mooring is already running on ${dataDir} (process ${keeper.process.pid}). Stop that process, or choose another folder with DATA_DIR.`,
  );
  expect(await ask(keeper.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('Ctrl-C in a terminal does not reach the server before the platform', async () => {
  const postgres = await started({ dataDir: await usedFolder() });
  const groupOf = (pid: number) =>
    spawnSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  expect(groupOf(postgres.pid() ?? 0)).toBe(String(postgres.pid()));
  expect(groupOf(process.pid)).not.toBe(groupOf(postgres.pid() ?? 0));
});

test('an interrupted first start starts over', async () => {
  const dataDir = emptyFolder();
  mkdirSync(join(dataDir, 'postgres.new/base'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres.new/PG_VERSION'), '18\n');
  const postgres = await started({ dataDir });
  expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a folder of an older PostgreSQL is left alone, and the error says what to do', async () => {
  const dataDir = emptyFolder();
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n');
  const start = startPostgres({ dataDir, log: silent });
  await expect(start).rejects.toThrow(
    /was written by PostgreSQL 17; this version of Mooring runs PostgreSQL 18/,
  );
  await expect(start).rejects.toThrow('npm run mooring -- backup');
  expect(existsSync(join(dataDir, 'mooring.pid'))).toBe(false);
});

test('a folder that is not a database is not turned into one', async () => {
  const dataDir = emptyFolder();
  mkdirSync(join(dataDir, 'postgres'));
  await expect(startPostgres({ dataDir, log: silent })).rejects.toThrow('is not a PostgreSQL data folder');
});

test('a path too long for a socket is served on a loopback port', async () => {
  const dataDir = join(emptyFolder(), 'x'.repeat(100));
  const first = await started({ dataDir });
  expect(new URL(first.url).hostname).toBe('127.0.0.1');
  expect(await ask(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(servesFolder(first.pid() ?? 0, join(dataDir, 'postgres'))).toBe(true);
});

test.runIf(isRoot)('a DATA_DIR closed to others is opened for passing through only', async () => {
  const dataDir = emptyFolder(0o700);
  const postgres = await started({ dataDir });
  expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(statSync(dataDir).mode & 0o777).toBe(0o711);
  expect(lstatSync(join(dataDir, 'postgres')).isDirectory()).toBe(true);
});

test.runIf(isRoot)(
  'under a parent closed to others, the database is placed elsewhere, and a warning says where',
  async () => {
    const dataDir = join(emptyFolder(0o700), 'data');
    const said: string[] = [];
    const first = await started({ dataDir, log: { warn: text => said.push(text) } });
    const entry = join(dataDir, 'postgres');
    const place = /the database is in (\S+)\.$/.exec(said[0] ?? '')?.[1] ?? '';
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    expect(lstatSync(entry).isSymbolicLink()).toBe(true);
    await ask(first.url, 'create table kept as select 1 as one');
    await first.stop();
    const again = await started({ dataDir });
    expect(await ask(again.url, 'select * from kept')).toEqual([{ one: 1 }]);
    await again.stop();
  },
);

test.runIf(isRoot)('a folder owned by root after a copy is handed over', async () => {
  const dataDir = await usedFolder();
  await (await started({ dataDir })).stop();
  spawnSync('chown', ['-R', '0:0', join(dataDir, 'postgres')]);
  const postgres = await started({ dataDir });
  expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(isRoot)('the server also runs for an ordinary user', async () => {
  const nobody = { uid: 65_534, gid: 65_534 };
  const dataDir = join(emptyFolder(0o777), 'data');
  const keeper = await startKeeper(dataDir, nobody);
  expect(await ask(keeper.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(statSync(`/proc/${keeper.pid}`).uid).toBe(nobody.uid);
  expect(statSync(dataDir).mode & 0o077).toBe(0);
});
