import {
  cancelVersionUpload,
  completeVersionUpload,
  readVersionUpload,
  startVersionUpload,
  type VersionUpload,
} from '#contract/componentVersion.ts';
import { Problem } from '#contract/problem.ts';
import { safeFilename } from '#rules/safeFilename.ts';
import { hourMs } from '#rules/time/durations.ts';
import { uploadHours } from '#rules/time/lifetimes.ts';
import { type Call, on, type Route } from '#server/api/endpoints/route.ts';
import { fileUrl } from '#server/api/files/links.ts';
import { confirmFile, reservePlace } from '#server/api/files/receiveFile.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Platform } from '#server/infra/platform.ts';
import { countParts, partBytesFor } from './uploadParts.ts';
import {
  beginVerifying,
  deleteUploadOf,
  findUpload,
  insertUpload,
  lockUpload,
  lockVersion,
  type PartRow,
  partsOf,
  setVersionState,
  type UploadKey,
  type UploadRow,
} from './uploadStore.ts';
import { readVersion } from './versions/readVersion.ts';
import { putPart } from './versions/versionFiles.ts';
import { updateVersion } from './versions/versionStore.ts';

const missingNamedMax = 100;

export const uploadRoutes: readonly Route[] = [
  on(startVersionUpload, prepareUpload, async (call, upload) => {
    const { db, platform, now } = call;
    const state = await lockVersion(db, upload);
    if (state === undefined) throw new Problem('COMPONENT_VERSION_NOT_FOUND');
    mustTakeFile(state);
    await deleteUploadOf(db, upload);
    await confirmFile(db, upload.place);
    await insertUpload(db, upload, now);
    await setVersionState(db, upload, { state: 'uploading' });
    const { url, ...started } = await toUpload(db, platform, upload);
    // Whoever has the link can send the file, so it must not appear in the log.
    call.after = started;
    return { ...started, ...(url !== undefined && { url }) };
  }),

  on(readVersionUpload, async ({ db, platform, params, row, now }) => {
    const upload = await findUpload(db, { projectId: row.projectId, uploadId: params.uploadId });
    if (upload?.versionId !== row.id || upload.state === 'over' || upload.expiresAt <= now)
      throw new Problem('UPLOAD_NOT_FOUND');
    return toUpload(db, platform, upload);
  }),

  on(completeVersionUpload, async call => {
    await complete(call);
    const { projectId, id } = call.row;
    return readVersion(call, projectId, id);
  }),

  on(cancelVersionUpload, async ({ db, params, row }) => {
    const upload = await lockUpload(db, { projectId: row.projectId, uploadId: params.uploadId });
    if (upload?.versionId !== row.id || upload.state === 'over') throw new Problem('UPLOAD_NOT_FOUND');
    if (upload.state === 'verifying') throw new Problem('UPLOAD_OVER');
    await deleteUploadOf(db, upload);
    await setVersionState(db, upload, { state: 'empty' });
  }),
];

function mustTakeFile(state: string): void {
  if (state === 'ready') throw new Problem('VERSION_HAS_FILE');
  const message = 'The file of this version is being verified. Wait until that is done.';
  if (state === 'verifying') throw new Problem('VERSION_HAS_FILE', { message });
}

/** The place in the store is reserved before the row that names it, and removed again if the row is not stored. */
async function prepareUpload(call: Call<typeof startVersionUpload>): Promise<UploadRow> {
  const { platform, body, row, now } = call;
  mustTakeFile(row.state);
  const partBytes = partBytesFor(body.bytes, body.parts);
  const place = await reservePlace(platform);
  return {
    projectId: row.projectId,
    id: platform.newId('upl'),
    versionId: row.id,
    partBytes,
    place,
    filename: safeFilename(body.filename ?? `${row.componentName}-${row.name}.bin`),
    sizeBytes: body.bytes ?? 0,
    sha256: body.sha256?.toLowerCase() ?? null,
    storeUpload: await platform.storage.begin(place, body.bytes ?? 0),
    state: 'open',
    expiresAt: new Date(now.getTime() + uploadHours * hourMs),
  };
}

async function complete(call: Call<typeof completeVersionUpload>): Promise<void> {
  const { db, params, body, row, now } = call;
  const key: UploadKey = { projectId: row.projectId, uploadId: params.uploadId };
  await lockVersion(db, { projectId: row.projectId, versionId: row.id });
  const upload = await lockUpload(db, key);
  if (upload?.versionId !== row.id) throw new Problem('UPLOAD_NOT_FOUND');
  // A repeated completion is answered with the current state.
  if (upload.state !== 'open') return;
  if (upload.expiresAt <= now) throw new Problem('UPLOAD_NOT_FOUND');
  const parts = await partsOf(db, key);
  const stored = new Set(parts.map(({ number }) => number));
  const missing = numbersOf(upload).filter(number => !stored.has(number));
  if (missing.length > 0) {
    const context = { missing: missing.slice(0, missingNamedMax), missingCount: missing.length };
    throw new Problem('PARTS_MISSING', { context });
  }
  const sha256 = body.sha256?.toLowerCase() ?? upload.sha256;
  if (upload.sha256 !== null && sha256 !== upload.sha256) {
    const message = 'The checksum differs from the one announced. Cancel the upload and start a new one.';
    throw new Problem('INVALID_FIELDS', { message, fields: { sha256: 'INVALID' } });
  }
  await beginVerifying(db, upload, { sha256, sizeBytes: sizeOf(upload, parts) });
  if (body.signature) await updateVersion(db, row, { signature: body.signature });
  await setVersionState(db, upload, { state: 'verifying' });
  await enqueue(db, 'verifyVersion', key, { maxAttempts: 8 });
}

/** Of a file whose size was not announced, that of its part. */
const sizeOf = ({ sizeBytes }: UploadRow, parts: readonly PartRow[]) =>
  sizeBytes || (parts[0]?.sizeBytes ?? 0);

const numbersOf = (upload: UploadRow) => Array.from({ length: countParts(upload) }, (_, i) => i + 1);

async function toUpload(db: Db, platform: Platform, upload: UploadRow): Promise<VersionUpload> {
  const { projectId, id: uploadId, filename, partBytes, sha256, state, expiresAt } = upload;
  const key = { projectId, uploadId };
  const parts = await partsOf(db, key);
  const urls = numbersOf(upload).map(number => fileUrl(platform, putPart(key, number), expiresAt));
  const [url] = urls;
  return {
    uploadId,
    filename,
    sizeBytes: sizeOf(upload, parts),
    partBytes,
    ...(sha256 !== null && { sha256 }),
    urls,
    ...(url !== undefined && urls.length === 1 && { url }),
    stored: parts.map(({ number }) => number),
    state: state === 'open' ? 'open' : 'verifying',
    expiresAt: expiresAt.toISOString(),
  };
}
