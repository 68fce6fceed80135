import type pg from 'pg';
import { buildSchema, type Migration } from '#server/infra/db/migrate.ts';
import { StartFault } from '#server/infra/startFault.ts';
import type { Manifest } from './archive.ts';
import { columnsOf, findTables, quoted, sqlNameOf, type Table } from './contents.ts';
import { copyIn } from './copy.ts';

/**
 * Creates the tables as they were when the backup was made, and fills them. Triggers and foreign keys are enabled
 * afterwards: the rows are already complete, and each foreign key is then checked over all of them. Indexes are also
 * built afterwards, which takes a fraction of the time.
 */
export async function loadSchema(
  client: pg.Client,
  { manifest, migrations }: { manifest: Manifest; migrations: readonly Migration[] },
  fill: () => Promise<void>,
): Promise<void> {
  await buildSchema(client, migrations);
  for (const { parent, name, bounds } of manifest.partitions) {
    if (!/^FOR VALUES FROM \('[^']*'\) TO \('[^']*'\)$/.test(bounds))
      throw new StartFault(`The backup has a partition ${name} that this version does not understand.`);
    await client.query(`create table if not exists ${quoted(name)} partition of ${quoted(parent)} ${bounds}`);
  }
  // Rows inserted by migrations are in the backup as well, possibly changed since.
  const tables = (await findTables(client)).map(sqlNameOf);
  await client.query(`truncate table ${tables.join(', ')}`);
  const foreignKeys = await findForeignKeys(client);
  const triggered = await findTriggered(client);
  for (const { table, name } of foreignKeys)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  for (const table of triggered) await client.query(`alter table ${table} disable trigger user`);
  const indexes = await findIndexes(client);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await fill();
  await client.query(`set local maintenance_work_mem = '256MB'`);
  for (const { definition } of indexes) await client.query(definition);
  for (const table of triggered) await client.query(`alter table ${table} enable trigger user`);
  for (const { table, name, definition } of foreignKeys)
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
  for (const { name, value } of manifest.sequences)
    await client.query('select setval($1::text::regclass, $2)', [name, value]);
}

export function loadRows(client: pg.Client, table: Table, rows: AsyncIterable<Uint8Array>): Promise<number> {
  return copyIn(client, `copy ${sqlNameOf(table)} (${columnsOf(table)}) from stdin`, rows);
}

/** Whether the database is unused. The tables of the jobs do not count, because the first connection creates them. */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and not exists (
       select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e') limit 1`,
  );
  return rows.length === 0;
}

/** Indexes that belong to no constraint; an index of a partitioned table includes those of its partitions. */
async function findIndexes(client: pg.Client): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.oid::regclass::text as name, replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') as definition
     from pg_class c
     where c.relkind in ('i', 'I') and not c.relispartition and c.relnamespace = 'public'::regnamespace
       and not exists (select from pg_constraint where conindid = c.oid)`,
  );
  return rows;
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

async function findForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`,
  );
  return rows;
}

/** Tables with triggers; partitions are left out, because they inherit the triggers of their table. */
async function findTriggered(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `select distinct t.tgrelid::regclass::text as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and not c.relispartition
       and c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  );
  return rows.map(({ table }) => table);
}
