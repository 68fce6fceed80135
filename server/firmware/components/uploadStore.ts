import type { ComponentVersion } from '#contract/componentVersion.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** Identifies an upload. */
export interface UploadKey {
  projectId: string;
  uploadId: string;
}

export interface UploadRow {
  projectId: string;
  id: string;
  versionId: string;
  filename: string;
  /** 0 until the upload is complete, if its size was not announced. */
  sizeBytes: number;
  partBytes: number;
  sha256: string | null;
  place: string;
  storeUpload: string;
  state: 'open' | 'verifying' | 'over';
  expiresAt: Date;
}

export interface PartRow {
  number: number;
  sizeBytes: number;
  etag: string;
  sha256: string;
}

const columns = sql`
  u.project_id as "projectId", u.id, u.version_id as "versionId", u.filename, u.size_bytes::float8 as "sizeBytes",
  u.part_bytes::float8 as "partBytes", u.sha256, u.place, coalesce(u.store_upload, '') as "storeUpload", u.state,
  u.expires_at as "expiresAt"`;

const named = ({ projectId, uploadId }: UploadKey) => sql`u.project_id = ${projectId} and u.id = ${uploadId}`;

export function findUpload(db: Db, key: UploadKey): Promise<UploadRow | undefined> {
  return db.one<UploadRow>(sql`select ${columns} from version_uploads u where ${named(key)}`);
}

/** The same, locked until the transaction ends. Callers that also lock the version lock that first. */
export function lockUpload(db: Db, key: UploadKey): Promise<UploadRow | undefined> {
  return db.one<UploadRow>(sql`select ${columns} from version_uploads u where ${named(key)} for update`);
}

/** Finds an upload that accepts parts, and keeps it open until the transaction ends. */
export function holdOpen(db: Db, key: UploadKey, now: Date): Promise<UploadRow | undefined> {
  return db.one<UploadRow>(sql`
    select ${columns} from version_uploads u join projects p on p.id = u.project_id and p.deleted_at is null
    where ${named(key)} and u.state = 'open' and u.expires_at > ${now} for share of u`);
}

export async function insertUpload(db: Db, row: UploadRow, now: Date): Promise<void> {
  await db.run(sql`
    insert into version_uploads (project_id, id, version_id, filename, size_bytes, part_bytes, sha256, place,
      store_upload, state, created_at, expires_at)
    values (${row.projectId}, ${row.id}, ${row.versionId}, ${row.filename}, ${row.sizeBytes}, ${row.partBytes},
      ${row.sha256}, ${row.place}, ${row.storeUpload}, ${row.state}, ${now}, ${row.expiresAt})`);
}

/** Deletes the uploads of a version. What is stored of an upload is deleted with it, unless the upload is over. */
export async function deleteUploadOf(
  db: Db,
  { projectId, versionId }: Pick<UploadRow, 'projectId' | 'versionId'>,
): Promise<void> {
  await db.run(sql`
    delete from version_uploads where project_id = ${projectId} and version_id = ${versionId}`);
}

export async function beginVerifying(
  db: Db,
  row: UploadRow,
  { sha256, sizeBytes }: Pick<UploadRow, 'sha256' | 'sizeBytes'>,
): Promise<void> {
  await db.run(sql`
    update version_uploads set state = 'verifying', sha256 = ${sha256}, size_bytes = ${sizeBytes}
    where project_id = ${row.projectId} and id = ${row.id}`);
}

/** The upload is kept for a while, so that a repeated completion is answered with its outcome. */
export async function endUpload(db: Db, { projectId, id }: UploadRow): Promise<void> {
  await db.run(sql`
    delete from version_upload_parts where project_id = ${projectId} and upload_id = ${id}`);
  await db.run(sql`
    update version_uploads set state = 'over' where project_id = ${projectId} and id = ${id}`);
}

export function partsOf(db: Db, { projectId, uploadId }: UploadKey): Promise<PartRow[]> {
  return db.many<PartRow>(sql`
    select number, size_bytes::float8 as "sizeBytes", etag, sha256 from version_upload_parts
    where project_id = ${projectId} and upload_id = ${uploadId} order by number`);
}

export async function insertPart(db: Db, { projectId, uploadId }: UploadKey, part: PartRow): Promise<void> {
  const { number, sizeBytes, etag, sha256 } = part;
  await db.run(sql`
    insert into version_upload_parts as p (project_id, upload_id, number, size_bytes, etag, sha256)
    values (${projectId}, ${uploadId}, ${number}, ${sizeBytes}, ${etag}, ${sha256})
    on conflict (project_id, upload_id, number) do update
      set size_bytes = excluded.size_bytes, etag = excluded.etag, sha256 = excluded.sha256`);
}

export async function deletePart(db: Db, { projectId, uploadId }: UploadKey, number: number): Promise<void> {
  await db.run(sql`
    delete from version_upload_parts
    where project_id = ${projectId} and upload_id = ${uploadId} and number = ${number}`);
}

type VersionKey = Pick<UploadRow, 'projectId' | 'versionId'>;

/** The state of a version, locked until the transaction ends. */
export async function lockVersion(
  db: Db,
  { projectId, versionId }: VersionKey,
): Promise<ComponentVersion['state'] | undefined> {
  const row = await db.one<{ state: ComponentVersion['state'] }>(sql`
    select state from component_versions where project_id = ${projectId} and id = ${versionId}
    for no key update`);
  return row?.state;
}

export async function setVersionState(
  db: Db,
  { projectId, versionId }: VersionKey,
  { state, error }: { state: Exclude<ComponentVersion['state'], 'ready'>; error?: string },
): Promise<void> {
  await db.run(sql`
    update component_versions set state = ${state}, error = ${error ?? null}, revision = revision + 1
    where project_id = ${projectId} and id = ${versionId}`);
}

export async function setVersionReady(
  db: Db,
  row: VersionKey & Pick<UploadRow, 'place' | 'filename' | 'sizeBytes'>,
  sha256: string,
): Promise<void> {
  await db.run(sql`
    update component_versions set state = 'ready', error = null, place = ${row.place}, filename = ${row.filename},
      size_bytes = ${row.sizeBytes}, sha256 = ${sha256}, revision = revision + 1
    where project_id = ${row.projectId} and id = ${row.versionId}`);
}
