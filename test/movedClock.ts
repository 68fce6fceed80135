import { afterAll, beforeAll } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { forTheFile, ProjectWorld } from './projectWorld.ts';

/** A world whose database clock can be moved too, so that data that ages by that clock can get old in a test. */
export class AgingWorld extends ProjectWorld {
  /** Advances the clocks of the server and its database. */
  async passAll(ms: number): Promise<void> {
    this.world.pass(ms);
    await this.world.platform.db.run(sql`update moved.clock set ahead_ms = ahead_ms + ${ms}`);
  }
}

/** For the tests of a file. */
export function anAgingWorld(): AgingWorld {
  const settings: Record<string, string> = {};
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await moveClockOf(database);
    settings.DATABASE_URL = database.url;
  });
  // Hooks run in reverse order, so this runs after the world has ended.
  afterAll(() => database.end());
  return forTheFile(new AgingWorld(), settings);
}

/** Shadows PostgreSQL's own function with one of the same name, for every connection opened from now on. */
async function moveClockOf({ db }: TestDatabase): Promise<void> {
  await db.tx(async tx => {
    await tx.run(sql`create schema moved`);
    await tx.run(sql`create table moved.clock (ahead_ms bigint not null)`);
    await tx.run(sql`insert into moved.clock values (0)`);
    await tx.run(sql`
      create function moved.clock_timestamp() returns timestamptz language sql volatile as $$
        select pg_catalog.clock_timestamp() + ahead_ms * interval '1 ms' from moved.clock $$`);
    await tx.run(sql`set local search_path = moved, pg_catalog, public`);
    // A default keeps the function it was created with, so it is set again.
    await tx.run(sql`
      alter table home_events alter column slot
        set default floor(extract(epoch from clock_timestamp()) / 10800)::bigint % 10`);
    await tx.run(sql`
      do $$ begin
        execute format('alter database %I set search_path = moved, pg_catalog, public', current_database());
      end $$`);
  });
}
