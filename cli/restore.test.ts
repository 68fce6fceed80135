import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { migrate, readMigrations } from '#server/infra/db/migrate.ts';
import { sql } from '#server/infra/db/sql.ts';
import { migrateJobs } from '#server/infra/jobs/jobs.ts';
import { aBackup, aTarget, emptyDatabase, type Target } from '#test/backups.ts';
import { emptyFolder, silent } from '#test/embedded.ts';
import { operatorOf } from '#test/operator.ts';
import { startMooring } from '#test/serverProcess.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();
let owner: SignedIn;
let target: Target;
let backup: string;
beforeAll(async () => {
  owner = await world.aDeveloper();
  target = await aTarget(world);
  backup = await aBackup(operatorOf(world), target.dataDir);
});
afterAll(() => target.end());

/** A modified copy of the backup. */
function changed(change: (path: string) => void): string {
  const path = join(emptyFolder(), 'changed.tar.gz');
  copyFileSync(backup, path);
  change(path);
  return path;
}

/** A copy with a text replaced, compressed again. */
function rewritten(from: string | RegExp, to: string): string {
  return changed(path => {
    const text = gunzipSync(readFileSync(path)).toString('latin1');
    expect(text).toMatch(from);
    writeFileSync(path, gzipSync(Buffer.from(text.replace(from, to), 'latin1')));
  });
}

describe('a restore refuses', () => {
  const bytes = () => readFileSync(backup);
  it.each([
    [
      'a truncated backup',
      () => changed(path => truncateSync(path, bytes().length - 100)),
      'it ends too early',
    ],
    ['one without its last part', () => changed(cutBeforeEnd), 'it ends too early'],
    ['a flipped bit', () => changed(path => writeFileSync(path, flipped(bytes()))), 'The backup is damaged'],
    ['a changed row', () => rewritten('Ada Lovelace', 'Eve Lovelace'), 'its checksum is wrong'],
    ['another file', () => changed(path => writeFileSync(path, 'hello')), 'The backup is damaged'],
    ['a file that is not there', () => '/nowhere/backup.tar.gz', 'The backup cannot be read'],
  ])('%s, and leaves the database as it was', async (_, make, says) => {
    const { code, out, err } = await target.mooring('restore', make());
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(says);
    expect(err).not.toMatch(/\n +at /);
    expect(await target.database.db.one(sql`select to_regclass('developers') as there`)).toEqual({
      there: null,
    });
  });

  it('a database that is in use', async () => {
    const { code, err } = await operatorOf(world)('restore', backup);
    expect([code, err]).toEqual([2, expect.stringContaining('The database is not empty.')]);
    const known = await world.platform.db.one(
      sql`select id from developers where id = ${owner.developer.id}`,
    );
    expect(known).toEqual({ id: owner.developer.id });
  });

  it('another master key, and none', async () => {
    const MASTER_KEY = 'a'.repeat(64);
    const other = await operatorOf(world, { DATABASE_URL: target.database.url, MASTER_KEY })(
      'restore',
      backup,
    );
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('made with another MASTER_KEY')]);
    const DATA_DIR = emptyFolder();
    const none = await operatorOf(world, { DATABASE_URL: target.database.url, DATA_DIR })('restore', backup);
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('There is no master key.')]);
    expect(existsSync(join(DATA_DIR, 'master.key'))).toBe(false);
  });
});

describe('a backup refuses', () => {
  it('to replace a file', async () => {
    const { code, err } = await operatorOf(world)('backup', backup);
    expect([code, err]).toEqual([2, expect.stringContaining('already exists')]);
  });

  it('a master key other than the platform’s, and leaves no file', async () => {
    const path = join(emptyFolder(), 'backup.tar.gz');
    const { code, err } = await operatorOf(world, { MASTER_KEY: 'a'.repeat(64) })('backup', path);
    expect([code, err]).toEqual([2, expect.stringContaining('not the MASTER_KEY of the platform')]);
    expect(existsSync(path)).toBe(false);
  });
});

describe('the schema of a backup', () => {
  /** A database of a version with fewer or more migrations. */
  async function ofVersion(change: (folder: string) => void) {
    const source = await emptyDatabase();
    onTestFinished(source.end);
    const folder = emptyFolder();
    for (const { name, text } of readMigrations()) writeFileSync(join(folder, name), text);
    change(folder);
    await migrate(source.url, folder);
    await migrateJobs({ pool: source.db.pool, log: silent.warn });
    const mooring = operatorOf(world, { DATABASE_URL: source.url });
    return { source, make: () => aBackup(mooring, emptyFolder()) };
  }

  it('that is older is migrated to this version after the rows are restored', async () => {
    const names = readMigrations().map(({ name }) => name);
    const last = names.filter(name => name >= '0019');
    const { source, make } = await ofVersion(folder => {
      for (const name of last) truncateSync(join(folder, name));
    });
    // Removes the emptied migrations from the recorded ones as well.
    await source.db.run(sql`delete from schema_migration where name = any(${last})`);
    await source.db.run(sql`
      insert into developers (id, org_id, email, name) values ('dvp_old', 'default', 'old@example.com', 'Old')`);
    const empty = await aTarget(world);
    onTestFinished(empty.end);
    expect(await empty.mooring('restore', await make())).toMatchObject({ code: 0 });
    const { db } = empty.database;
    expect(await db.many(sql`select email from developers`)).toEqual([{ email: 'old@example.com' }]);
    expect(
      (await db.many<{ name: string }>(sql`select name from schema_migration order by name`)).map(
        ({ name }) => name,
      ),
    ).toEqual(names);
  });

  it('is the same after a restore: indexes, constraints, triggers', async () => {
    const empty = await aTarget(world);
    onTestFinished(empty.end);
    expect(await empty.mooring('restore', backup)).toMatchObject({ code: 0 });
    const shape = sql`
      select indexdef as has from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
      order by 1`;
    const there = await empty.database.db.many<{ has: string }>(shape);
    expect(there.length).toBeGreaterThan(100);
    expect(there).toEqual(await world.platform.db.many(shape));
  });

  it('that is newer is refused', async () => {
    const { make } = await ofVersion(folder => {
      writeFileSync(join(folder, '9999_later.sql'), 'create table later (id int)');
    });
    const { code, err } = await target.mooring('restore', await make());
    expect([code, err]).toEqual([2, expect.stringContaining('9999_later.sql is not known to this one')]);
  });
});

it('an installation with only a data folder moves to another folder', async () => {
  const [here, there] = [emptyFolder(), emptyFolder()];
  const settings = (DATA_DIR: string) => ({ DATA_DIR, DATABASE_URL: '' });
  const running = await startMooring(settings(here));
  onTestFinished(() => running.stop());
  const path = await aBackup(operatorOf(world, settings(here)), here);
  copyFileSync(join(here, 'master.key'), join(there, 'master.key'));
  expect(await operatorOf(world, settings(there))('restore', path)).toMatchObject({ code: 0 });
  expect((await operatorOf(world, settings(there))('org', 'list')).out).toMatch(/^default /m);
});

function cutBeforeEnd(path: string): void {
  const tar = gunzipSync(readFileSync(path));
  writeFileSync(path, gzipSync(tar.subarray(0, tar.indexOf('end.json\0'))));
}

function flipped(bytes: Buffer): Buffer {
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}
