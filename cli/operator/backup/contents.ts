import type pg from 'pg';
import type { Manifest } from './archive.ts';

export type Table = Manifest['tables'][number];

/** The schemas to back up: our own, and that of the jobs, which belongs to graphile-worker. */
const schemas = ['public', 'graphile_worker'];

/** Tables that the migrations of the restoring installation fill. */
const madeByMigrations = ['public.schema_migration', 'graphile_worker.migrations'];

/**
 * Tables whose rows are not part of a backup. Temporary access, which may have been ended for a reason, must not be
 * revived by an old copy: people sign in again and request a new link.
 */
export const temporary = [
  'public.sessions',
  'public.tokens',
  'public.user_auth_flows',
  'public.user_sessions',
  'public.user_tokens',
  'public.user_codes',
  'public.user_sign_ins',
  'public.stream_tickets',
  'public.open_streams',
  // The first start after a restore takes the key and the file store that it finds.
  'public.installation',
];

/** Columns that refer to a running process, which does not exist where the backup is restored. */
const atRest: Record<string, Record<string, string>> = {
  // An expired lease: the next start closes this gateway's connections and records that.
  'public.gateways': { lease_until: "'epoch'::timestamptz" },
  'graphile_worker._private_jobs': { locked_at: 'null', locked_by: 'null' },
  'graphile_worker._private_job_queues': { locked_at: 'null', locked_by: 'null' },
};

export const nameOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>) => `${schema}.${name}`;
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
export const sqlNameOf = ({ schema, name }: Table) => `${quoted(schema)}.${quoted(name)}`;
export const columnsOf = ({ columns }: Table) => columns.map(quoted).join(', ');

/** The `copy` statement for the rows of a table, without references to running processes. */
export function copyOutOf(table: Table): string {
  const rest = atRest[nameOf(table)] ?? {};
  const columns = table.columns.map(name => rest[name] ?? quoted(name)).join(', ');
  return `copy (select ${columns} from ${sqlNameOf(table)}) to stdout`;
}

export async function findTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
     group by 1, 2 order by 1, 2`,
    [schemas],
  );
  return rows.filter(table => !madeByMigrations.includes(nameOf(table)));
}

/** Partitions that no migration creates, which are those by time. */
export async function findPartitions(client: pg.Client): Promise<Manifest['partitions']> {
  const { rows } = await client.query<Manifest['partitions'][number]>(
    `select p.relname as parent, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     join pg_class p on p.oid = i.inhparent
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relispartition
       and pg_get_expr(c.relpartbound, c.oid) like 'FOR VALUES FROM%' order by 2`,
  );
  return rows;
}

export async function findSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<Manifest['sequences'][number]>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
     from pg_sequences where schemaname = any($1) and last_value is not null order by 1`,
    [schemas],
  );
  return rows;
}

/**
 * The columns that refer to a stored file: those with a trigger that passes the file to the removal job when the row is
 * deleted.
 */
export async function findFileColumns(client: pg.Client): Promise<{ table: string; column: string }[]> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select distinct t.tgrelid::regclass::text as table, substring(p.prosrc from 'old\\.(\\w+)') as column
     from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal and p.prosrc ~* '\\munkept_files\\M' order by 1`,
  );
  return rows;
}
