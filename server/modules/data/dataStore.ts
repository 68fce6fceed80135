import { tableMax } from '#contract/moduleData.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Table } from './readTable.ts';

interface OfModule {
  projectId: string;
  id: string;
}

export interface DataRow {
  bytes: number;
  at: Date | null;
  etag: string | null;
  lastModified: string | null;
  source: string;
  triedAt: Date | null;
  fault: string | null;
  version: number;
}

export function findData(db: Db, { projectId, id }: OfModule, lock = false): Promise<DataRow | undefined> {
  const row = sql`
    select bytes, at, etag, last_modified as "lastModified", source, tried_at as "triedAt", fault, version
    from module_data where project_id = ${projectId} and module_id = ${id}`;
  return db.one<DataRow>(lock ? sql`${row} for update` : row);
}

export async function readData(db: Db, { projectId, id }: OfModule): Promise<unknown> {
  const row = await db.one<{ data: unknown }>(sql`
    select data from module_data where project_id = ${projectId} and module_id = ${id}`);
  return row?.data ?? undefined;
}

interface NewData {
  /** As JSON. */
  text: string;
  at: Date;
  source: string;
  etag?: string | undefined;
  lastModified?: string | undefined;
  version?: number;
}

/** Replaces the data that a module provides to others. */
export async function storeData(db: Db, { projectId, id }: OfModule, given: NewData): Promise<void> {
  const { text, at, source, etag = null, lastModified = null, version = 0 } = given;
  await db.run(sql`
    insert into module_data as d
      (project_id, module_id, data, bytes, at, source, etag, last_modified, tried_at, version)
    values (${projectId}, ${id}, ${text}::json, ${Buffer.byteLength(text)}, ${at}, ${source}, ${etag},
      ${lastModified}, ${at}, ${version})
    on conflict (project_id, module_id) do update set
      data = excluded.data, bytes = excluded.bytes, at = excluded.at, source = excluded.source,
      etag = excluded.etag, last_modified = excluded.last_modified, tried_at = excluded.tried_at,
      version = excluded.version, fault = null, revision = d.revision + 1`);
}

/** Records that a fetch brought nothing new or failed. The data fetched before stays. */
export async function recordAttempt(
  db: Db,
  { projectId, id }: OfModule,
  { at, fault, isSame = false }: { at: Date; fault?: string; isSame?: boolean },
): Promise<void> {
  await db.run(sql`
    insert into module_data as d (project_id, module_id, tried_at, fault)
    values (${projectId}, ${id}, ${at}, ${fault ?? null})
    on conflict (project_id, module_id) do update set
      tried_at = excluded.tried_at, fault = excluded.fault,
      at = case when ${isSame} then excluded.tried_at else d.at end`);
}

export interface VersionRow {
  version: number;
  savedAt: Date;
  savedBy: string;
  rows: number;
  bytes: number;
}

const versionColumns = sql`
  version, saved_at as "savedAt", saved_by as "savedBy", row_count as rows, bytes`;

export function versionsOf(db: Db, { projectId, id }: OfModule): Promise<VersionRow[]> {
  return db.many<VersionRow>(sql`
    select ${versionColumns} from table_versions where project_id = ${projectId} and module_id = ${id}
    order by version desc limit ${tableMax.versions}`);
}

export function findVersion(
  db: Db,
  { projectId, id }: OfModule,
  version: number,
): Promise<(VersionRow & { table: Table }) | undefined> {
  return db.one(sql`
    select ${versionColumns}, json_build_object('columns', columns, 'rows', rows) as table from table_versions
    where project_id = ${projectId} and module_id = ${id} and version = ${version}`);
}

export async function insertVersion(
  db: Db,
  { projectId, id }: OfModule,
  { version, table, now, by }: { version: number; table: Table; now: Date; by: string },
): Promise<void> {
  const rows = JSON.stringify(table.rows);
  await db.run(sql`
    insert into table_versions
      (project_id, module_id, version, columns, rows, row_count, bytes, saved_at, saved_by)
    values (${projectId}, ${id}, ${version}, ${JSON.stringify(table.columns)}::json, ${rows}::json,
      ${table.rows.length}, ${Buffer.byteLength(rows)}, ${now}, ${by})`);
  await db.run(sql`
    delete from table_versions
    where project_id = ${projectId} and module_id = ${id} and version <= ${version - tableMax.versions}`);
}
