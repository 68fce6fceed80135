import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from '#server/infra/db/sql.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { operatorOf, type Said } from './operator.ts';
import { place } from './place.ts';
import { aWorld, type World } from './world.ts';

/** An empty installation with the master key of another one, to restore a backup into. */
export interface Target {
  database: TestDatabase;
  dataDir: string;
  mooring(...words: string[]): Promise<Said>;
  /** Restores, and starts the platform. */
  startFrom(backup: string): Promise<World>;
  end(): Promise<void>;
}

/** A database without any data. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  await database.db.run(sql`drop schema if exists graphile_worker cascade`);
  await database.db.run(sql`drop schema public cascade`);
  await database.db.run(sql`create schema public`);
  return database;
}

export async function aTarget(world: World, settings: Record<string, string> = {}): Promise<Target> {
  const database = await emptyDatabase();
  const dataDir = mkdtempSync(join(place, 'mooring-case-'));
  copyFileSync(join(world.platform.config.dataDir, 'master.key'), join(dataDir, 'master.key'));
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, ...settings };
  const mooring = operatorOf(world, env);
  let restored: World | undefined;
  return {
    database,
    dataDir,
    mooring,
    async startFrom(backup) {
      const { code, err } = await mooring('restore', backup);
      if (code !== 0) throw new Error(err);
      restored = await aWorld({ MQTT_PORT: '0', ...env });
      return restored;
    },
    async end() {
      await restored?.end();
      await database.end();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Backs up a world into a folder that is removed with the target. */
export async function aBackup(mooring: Target['mooring'], folder: string): Promise<string> {
  const path = join(folder, 'backup.tar.gz');
  const { code, err } = await mooring('backup', path);
  if (code !== 0) throw new Error(err);
  return path;
}
