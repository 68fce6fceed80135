import { Problem } from '#contract/problem.ts';
import { hourMs } from '#rules/time/durations.ts';
import { uploadHours } from '#rules/time/lifetimes.ts';
import { letGo } from '#server/api/files/receiveFile.ts';
import { publishLive } from '#server/api/http/live.ts';
import { faultOfSignature } from '#server/firmware/components/checkSignature.ts';
import { hashFile } from '#server/firmware/components/hashFile.ts';
import { hashParts } from '#server/firmware/components/hashParts.ts';
import {
  endUpload,
  findUpload,
  lockUpload,
  lockVersion,
  partsOf,
  setVersionReady,
  setVersionState,
  type UploadKey,
  type UploadRow,
} from '#server/firmware/components/uploadStore.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { findVersion } from './versionStore.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    verifyVersion: UploadKey;
  }
}

const gone = 'The file is no longer in storage. Upload it again.';
const unreadable = 'The file could not be read from storage. Upload it again.';

/** The SHA-256 of a file, or a sentence that says what is wrong with the file. */
type Inspected = { sha256: string } | { error: string };

/** The job that reads a complete file once and makes its version ready, or records the reason why not. */
export function verifyVersionJob(platform: Platform): Task<'verifyVersion'> {
  return async (key, { isLast, signal }) => {
    const upload = await findUpload(platform.db, key);
    if (upload?.state !== 'verifying') return;
    const inspected = await inspect(platform, upload, signal).catch((error: unknown) => {
      if (signal?.aborted) return undefined;
      if (!isLast) throw error;
      platform.log('error', 'A firmware file could not be verified', { ...key, error: String(error) });
      return { error: unreadable };
    });
    // The server is stopping: another process starts over.
    if (!inspected) return enqueue(platform.db, 'verifyVersion', key, { maxAttempts: 8 });
    if (await platform.db.tx(db => settle(db, upload, inspected))) publishVersion(platform, upload);
  };
}

async function inspect(
  { db, storage }: Platform,
  upload: UploadRow,
  signal: AbortSignal | undefined,
): Promise<Inspected> {
  const { projectId, id: uploadId, place, storeUpload, sizeBytes, partBytes } = upload;
  const parts = await partsOf(db, { projectId, uploadId });
  try {
    await storage.join({ place, upload: storeUpload }, parts);
  } catch (error) {
    if (error instanceof Problem && error.reason === 'FILE_NOT_FOUND') return { error: gone };
    throw error;
  }
  // If the file matches the announced checksum, no more checks are needed.
  if (upload.sha256 !== null) {
    const { bytes, sha256 } = await hashFile(await storage.read(place), signal);
    if (bytes === sizeBytes && sha256 === upload.sha256) return { sha256 };
  }
  const read = await hashParts(await storage.read(place), partBytes, signal);
  if (read.bytes !== sizeBytes)
    return {
      error: `The stored file has ${read.bytes} bytes instead of ${sizeBytes}. Upload it again.`,
    };
  const wrong = parts.find(({ number, sha256 }) => read.parts[number - 1] !== sha256);
  if (wrong) return { error: `Part ${wrong.number} was damaged in storage. Upload it again.` };
  const { sha256 } = read;
  if (upload.sha256 !== null && upload.sha256 !== sha256)
    return { error: `The file has the checksum ${sha256}, but ${upload.sha256} was announced.` };
  return { sha256 };
}

/** False: the version or the upload no longer exists, and the stored file is deleted as well. */
async function settle(db: Db, upload: UploadRow, inspected: Inspected): Promise<boolean> {
  const { projectId, id: uploadId, versionId, place } = upload;
  await lockVersion(db, upload);
  const current = await lockUpload(db, { projectId, uploadId });
  const version = await findVersion(db, projectId, versionId);
  if (!version || current?.state !== 'verifying') return false;
  const checksum = 'sha256' in inspected ? inspected.sha256 : undefined;
  const error =
    'error' in inspected
      ? inspected.error
      : await faultOfSignature(db, version, { size: upload.sizeBytes, sha256: inspected.sha256 });
  await endUpload(db, upload);
  if (error === undefined && checksum !== undefined) await setVersionReady(db, upload, checksum);
  else {
    await setVersionState(db, upload, { state: 'failed', ...(error !== undefined && { error }) });
    await letGo(db, place);
  }
  return true;
}

function publishVersion(platform: Platform, { projectId, versionId }: UploadRow): void {
  publishLive(platform, projectId, {
    kind: 'changed',
    path: `/componentVersions/${versionId}`,
    makesOld: ['componentVersions', 'components'],
  });
}

const expired = `The upload was not completed within ${uploadHours} hours, so it was removed.`;

/** The stored parts of an upload are deleted with its row. An upload that is being verified gets more time. */
export const uploadChores: readonly Chore[] = [
  {
    name: 'uploads of versions',
    deletes: now => sql`
      with gone as (
        delete from version_uploads where (project_id, id) in (
          select project_id, id from version_uploads
          where expires_at < ${now} and (state <> 'verifying' or expires_at < ${longBefore(now)}) limit ${batch})
        returning project_id, version_id, state),
      failed as (
        update component_versions v set state = 'failed', error = ${expired}, revision = revision + 1
        from gone where v.project_id = gone.project_id and v.id = gone.version_id
          and gone.state <> 'over' and v.state in ('uploading', 'verifying'))
      select 1 from gone`,
  },
];

const longBefore = (now: Date) => new Date(now.getTime() - uploadHours * hourMs);
