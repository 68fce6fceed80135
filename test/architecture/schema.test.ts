import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { type TestDatabase, testDatabase } from '../database.ts';
import { type OwnTable, sliceTables } from './sliceTables.ts';

const file = join(import.meta.dirname, '../../docs/schema.md');

let base: TestDatabase;
beforeAll(async () => {
  base = await testDatabase();
});
afterAll(() => base.end());

interface Table {
  name: string;
  partitionedBy: string | null;
}
interface Line {
  table: string;
  text: string;
}

const tables = () =>
  base.db.many<Table>(sql`
    select c.relname as name, pg_get_partkeydef(c.oid) as "partitionedBy" from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'schema_migration'
    order by c.relname`);

/** The columns in order, with their defaults. */
const columns = () =>
  base.db.many<Line>(sql`
    select c.relname as table, concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end,
      case when a.attidentity <> '' then 'generated as identity' when a.attgenerated <> '' then 'generated'
        when d.oid is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end) as text
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum`);

/** Primary, unique and foreign keys, and unique indexes that are not constraints; sorted by their text. */
const keys = () =>
  base.db.many<Line>(sql`
    select conrelid::regclass::text as table, lower(pg_get_constraintdef(oid)) as text
    from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f')
    union all
    select i.indrelid::regclass::text,
      'unique ' || substring(pg_get_indexdef(i.indexrelid) from ' USING [a-z]+ (.*)$')
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and i.indisunique and not i.indisprimary
      and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by 1, 2`);

const intro = `# The tables

The schema after all migrations. Each table has one slice that writes to it (\`server/<room>\`) and a description of a row.
Generated from the database and the slices; update it with \`npx vitest run test/architecture/schema.test.ts -u\`.`;

function section({ name, partitionedBy }: Table, own: OwnTable | undefined, lines: string[]): string {
  const split = partitionedBy === null ? '' : ` Partitioned by ${partitionedBy.toLowerCase()}.`;
  return [`## ${name}`, '', `**${own?.owner}.** ${own?.holds}${split}`, '', '```', ...lines, '```'].join(
    '\n',
  );
}

it('docs/schema.md describes every table as it is in the database, with its owner', async () => {
  const owners = await sliceTables();
  const [all, ofColumns, ofKeys] = [await tables(), await columns(), await keys()];
  const linesOf = (name: string) =>
    [...ofColumns, ...ofKeys].filter(({ table }) => table === name).map(({ text }) => text);
  const sections = all.map(table => section(table, owners.get(table.name), linesOf(table.name)));
  expect(all.map(({ name }) => name).filter(name => !owners.has(name))).toEqual([]);
  await expect(`${[intro, ...sections].join('\n\n')}\n`).toMatchFileSnapshot(file);
});
