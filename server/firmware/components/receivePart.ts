import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '#contract/problem.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { FilePart } from '#server/infra/storage/partedFile.ts';
import { CheckedPart } from './checkedPart.ts';
import { partOf } from './uploadParts.ts';
import { deletePart, holdOpen, insertPart, type UploadKey } from './uploadStore.ts';

interface Sent {
  number: number;
  body: AsyncIterable<Uint8Array>;
  headers: IncomingHttpHeaders;
}

/**
 * Stores a part of an upload. While a part is being written, it counts as missing: if a repeated upload of it breaks
 * off, the part must not count as complete. An upload that was completed, cancelled or deleted in the meantime rejects
 * it.
 */
export async function receivePart(
  platform: Platform,
  key: UploadKey,
  { number, body, headers }: Sent,
): Promise<void> {
  const { db, storage, clock } = platform;
  const begun = await db.tx(async db => {
    const upload = await holdOpen(db, key, clock());
    const part = upload && partOf(upload, number);
    if (part) await deletePart(db, key, number);
    return part && { upload, part };
  });
  if (!begun) throw new Problem('UPLOAD_OVER');
  const { upload, part } = begun;
  const checked = new CheckedPart(body, part, headers);
  const file = { place: upload.place, upload: upload.storeUpload };
  const etag = await storage.writePart(file, withLength(part, headers), checked);
  const { bytes: sizeBytes, sha256 } = checked;
  platform.traffic.count(key.projectId, 'bytes', sizeBytes);
  const isStored = await db.tx(async db => {
    const isOpen = await holdOpen(db, key, clock());
    if (!isOpen) return false;
    await insertPart(db, key, { number, sizeBytes, etag, sha256 });
    return true;
  });
  if (!isStored) throw new Problem('UPLOAD_OVER');
}

/** A store that holds a part in memory needs no more room for a whole file than its sender announces. */
function withLength(part: FilePart, { 'content-length': length }: IncomingHttpHeaders): FilePart {
  return part.isWhole && length !== undefined ? { ...part, bytes: Number(length) } : part;
}
