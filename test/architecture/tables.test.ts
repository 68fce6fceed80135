import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { slices } from '#server/slices.ts';
import { type TestDatabase, testDatabase } from '../database.ts';

let base: TestDatabase;
beforeAll(async () => {
  base = await testDatabase();
});
afterAll(() => base.end());

const ofProjects = slices.flatMap(({ tables = {} }) => Object.keys(tables));
const ofPlatform = slices.flatMap(({ platformTables = {} }) => Object.keys(platformTables));

it('every table belongs to exactly one slice', async () => {
  const there = await base.db.many<{ name: string }>(sql`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'schema_migration'`);
  expect([...ofProjects, ...ofPlatform].sort()).toEqual(there.map(({ name }) => name).sort());
});

it('rows with a project id are deleted with their project', async () => {
  const naming = await base.db.many<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'project_id' and not a.attisdropped`);
  // This table reports the deletion of a project after the project is gone.
  const outlives = ['project_deletions'];
  expect(ofProjects.toSorted()).toEqual(
    naming
      .map(({ name }) => name)
      .filter(name => !outlives.includes(name))
      .sort(),
  );
});

it('no two slices create ids with the same prefix', () => {
  const prefixes = slices.flatMap(({ idPrefixes = [] }) => idPrefixes);
  expect(prefixes.filter((prefix, at) => prefixes.indexOf(prefix) !== at)).toEqual([]);
});
