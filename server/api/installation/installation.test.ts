import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '#server/infra/config.ts';
import { sql } from '#server/infra/db/sql.ts';
import { startServer } from '#server/start.ts';
import { testDatabase } from '#test/database.ts';
import { emptyFolder } from '#test/embedded.ts';
import { operatorOf } from '#test/operator.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();
const otherKey = { MASTER_KEY: 'b'.repeat(64) };

/** Another process on the database of the world. */
async function start(settings: Record<string, string> = {}): Promise<void> {
  const { dataDir, databaseUrl = '' } = world.platform.config;
  const here = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0', MQTT_PORT: 'off' };
  const server = await startServer(readConfig({ ...here, LOG_LEVEL: 'silent', ...settings }));
  await server.stop();
}

describe('a start is refused', () => {
  it('without the key that the database is encrypted under, and makes none', async () => {
    const DATA_DIR = emptyFolder();
    const refused = expect(start({ DATA_DIR })).rejects;
    await refused.toThrow(/^The master key is missing: .*master\.key does not exist/);
    await expect(start({ DATA_DIR })).rejects.toThrow(world.platform.sealing.fingerprint);
    await expect(start({ DATA_DIR })).rejects.toThrow(/these are lost: two-factor secrets, .*queued e-mails/);
    expect(existsSync(join(DATA_DIR, 'master.key'))).toBe(false);
    const { code, out } = await operatorOf(world, { DATA_DIR })('doctor');
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^FAIL {2}Master key +The master key is missing/m),
    ]);
    expect(existsSync(join(DATA_DIR, 'master.key'))).toBe(false);
  });

  it('with another key', async () => {
    await expect(start(otherKey)).rejects.toThrow(/^MASTER_KEY is not the master key/);
    await expect(start(otherKey)).rejects.toThrow(world.platform.sealing.fingerprint);
  });

  it('with another key, or none, on a database of a version that did not note its key', async () => {
    await world.aDeveloper();
    await world.platform.db.run(sql`delete from installation`);
    await expect(start(otherKey)).rejects.toThrow('is not the master key of this database');
    await expect(start({ DATA_DIR: emptyFolder() })).rejects.toThrow('The master key is missing');
    await start();
    expect(await world.platform.db.one(sql`select key_fingerprint as key from installation`)).toEqual({
      key: world.platform.sealing.fingerprint,
    });
  });

  it('for all but one of two processes that make different keys on an empty database', async () => {
    const database = await testDatabase();
    onTestFinished(() => database.end());
    const DATABASE_URL = database.url;
    const both = await Promise.allSettled(
      [emptyFolder(), emptyFolder()].map(DATA_DIR => start({ DATABASE_URL, DATA_DIR })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('on a store without the files of the installation, until they are moved there', async () => {
    const MASTER_KEY = 'c'.repeat(64);
    const [first, second, database] = [emptyFolder(), emptyFolder(), await testDatabase()];
    onTestFinished(() => database.end());
    const settings = { MASTER_KEY, DATABASE_URL: database.url };
    await start({ ...settings, DATA_DIR: first });
    const refused = start({ ...settings, DATA_DIR: second });
    await expect(refused).rejects.toThrow(`The files of this installation are not in ${second}`);
    renameSync(join(first, 'files'), join(second, 'files'));
    await start({ ...settings, DATA_DIR: second });
  });
});

it('the doctor names the key that the database is encrypted under', async () => {
  const { out } = await operatorOf(world)('doctor');
  expect(out).toMatch(new RegExp(`^ok {4}Master key +${world.platform.sealing.fingerprint}`, 'm'));
});

it('a store that does not answer does not prevent a start', async () => {
  const s3 = { S3_URL: 'http://127.0.0.1:1/none', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
  await start(s3);
});

it('an installation whose key is gone for good goes on with a new one, if its operator says so', async () => {
  const [DATA_DIR, database] = [emptyFolder(), await testDatabase()];
  onTestFinished(() => database.end());
  const settings = { DATABASE_URL: database.url, DATA_DIR };
  await start(settings);
  rmSync(join(DATA_DIR, 'master.key'));
  await expect(start(settings)).rejects.toThrow('"mooring accept-key" goes on without them');
  const { code, out } = await operatorOf(world, settings)('accept-key');
  expect([code, out]).toEqual([0, expect.stringContaining('cannot be read any more: two-factor secrets')]);
  await start(settings);
  expect(out).toContain(
    (await database.db.one<{ key: string }>(sql`select key_fingerprint as key from installation`))?.key,
  );
});
