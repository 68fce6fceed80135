import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { migrate, readMigrations } from '#server/infra/db/migrate.ts';
import { type Database, sql } from '#server/infra/db/sql.ts';
import { testDatabase } from './database.ts';
import { emptyFolder } from './embedded.ts';

const migrations = join(import.meta.dirname, '../server/infra/db/migrations');

/** A database in the state before the migration `name`. */
export async function asBefore(name: string): Promise<{ db: Database; url: string }> {
  const made = await testDatabase();
  onTestFinished(() => made.end());
  await made.db.run(sql`drop schema public cascade`);
  await made.db.run(sql`create schema public`);
  const folder = emptyFolder();
  for (const migration of readMigrations())
    if (migration.name < name) cpSync(join(migrations, migration.name), join(folder, migration.name));
  await migrate(made.url, folder);
  return made;
}
