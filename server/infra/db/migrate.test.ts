import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { emptyFolder } from '#test/embedded.ts';
import { deadline } from '#test/until.ts';
import { migrate } from './migrate.ts';
import { type Database, sql } from './sql.ts';

const first = { '0001_thing.sql': 'create table thing (id int); insert into thing values (1);' };
const second = { '0002_more.sql': 'alter table thing add column more int default 2;' };

/** A database without our schema, so that only the files of the test count. */
async function bare(): Promise<{ db: Database; url: string }> {
  const made = await testDatabase();
  onTestFinished(() => made.end());
  await made.db.run(sql`drop schema public cascade`);
  await made.db.run(sql`create schema public`);
  return made;
}

function folderOf(...files: Record<string, string>[]): string {
  const folder = emptyFolder();
  for (const [name, text] of Object.entries(Object.assign({}, ...files) as Record<string, string>))
    writeFileSync(join(folder, name), text);
  return folder;
}

test('each file is applied once, in order, and later ones are added', async () => {
  const { db, url } = await bare();
  const folder = folderOf(first);
  expect(await migrate(url, folder)).toEqual(['0001_thing.sql']);
  expect(await migrate(url, folder)).toEqual([]);
  writeFileSync(join(folder, '0002_more.sql'), second['0002_more.sql']);
  writeFileSync(join(folder, 'notes.md'), 'not a migration');
  expect(await migrate(url, folder)).toEqual(['0002_more.sql']);
  expect(await db.many(sql`select * from thing`)).toEqual([{ id: 1, more: 2 }]);
});

test('concurrent starts apply each file once', async () => {
  const { db, url } = await bare();
  const folder = folderOf(first, second);
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url, folder)));
  expect(applied.flat().toSorted()).toEqual(['0001_thing.sql', '0002_more.sql']);
  expect(await db.many(sql`select * from thing`)).toEqual([{ id: 1, more: 2 }]);
});

test('a failed file leaves no trace, keeps the files before it applied, and is named', async () => {
  const { db, url } = await bare();
  const folder = folderOf(first, { '0002_more.sql': 'create table half (id int); select 1/0;' });
  await expect(migrate(url, folder)).rejects.toThrow('0002_more.sql could not be applied: division by zero');
  expect(await db.many(sql`select name from schema_migration`)).toEqual([{ name: '0001_thing.sql' }]);
  expect(await db.one(sql`select to_regclass('half') as half`)).toEqual({ half: null });
  writeFileSync(join(folder, '0002_more.sql'), second['0002_more.sql']);
  expect(await migrate(url, folder)).toEqual(['0002_more.sql']);
});

test('the changes of a file and its record are saved together or not at all', async () => {
  const { db, url } = await bare();
  const unnoted = 'create table half (id int); alter table schema_migration add column more int not null;';
  await expect(migrate(url, folderOf({ '0001_thing.sql': unnoted }))).rejects.toThrow(
    'null value in column "more"',
  );
  expect(await db.one(sql`select to_regclass('half') as half`)).toEqual({ half: null });
});

test('a start that is killed in the middle of a file is resumed by the next start', async () => {
  const { db, url } = await bare();
  const slow = { '0002_more.sql': 'create table half (id int); select pg_sleep(60);' };
  const folder = folderOf(first, slow);
  const killed = migrate(url, folder);
  killed.catch(() => undefined);
  const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`;
  await vi.waitFor(async () => expect(await db.search(end)).toHaveLength(1), deadline);
  await expect(killed).rejects.toThrow();
  writeFileSync(join(folder, '0002_more.sql'), second['0002_more.sql']);
  expect(await migrate(url, folder)).toEqual(['0002_more.sql']);
  expect(await db.one(sql`select to_regclass('half') as half`)).toEqual({ half: null });
});

test('an applied file that changed, except in its line ends, is refused', async () => {
  const { url } = await bare();
  const folder = folderOf({ '0001_thing.sql': 'create table thing (\n id int);\n' });
  await migrate(url, folder);
  writeFileSync(join(folder, '0001_thing.sql'), 'create table thing (\r\n id int);\r\n');
  expect(await migrate(url, folder)).toEqual([]);
  writeFileSync(join(folder, '0001_thing.sql'), 'create table thing (\n id bigint);\n');
  await expect(migrate(url, folder)).rejects.toThrow('0001_thing.sql differs from what was applied');
});

test('a database of a newer version is left alone', async () => {
  const { url } = await bare();
  const folder = folderOf(first, second);
  await migrate(url, folder);
  rmSync(join(folder, '0002_more.sql'));
  await expect(migrate(url, folder)).rejects.toThrow(
    'newer version of Mooring (0002_more.sql is not known to this one). Start that version',
  );
});

test('a new file that is numbered before an applied one is refused', async () => {
  const { url } = await bare();
  const folder = folderOf(second);
  writeFileSync(join(folder, '0002_more.sql'), 'select 1');
  await migrate(url, folder);
  writeFileSync(join(folder, '0001_thing.sql'), first['0001_thing.sql']);
  await expect(migrate(url, folder)).rejects.toThrow('0001_thing.sql comes before 0002_more.sql');
});

test.for([
  [{ '1_thing.sql': '' }, '1_thing.sql: a migration must be named'],
  [{ '0001_a.sql': '', '0001_b.sql': '' }, 'have the same number'],
] as const)('file names that leave the order undefined are refused: %o', async ([files, sentence]) => {
  await expect(migrate('postgres://nowhere', folderOf({ ...files }))).rejects.toThrow(sentence);
});
