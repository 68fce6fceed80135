import { importBytesMax } from '#contract/deviceBulk.ts';
import { Problem } from '#contract/problem.ts';
import { dropFile, keepFile, receiveFile } from '#server/files/unkept.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { Platform } from '#server/platform.ts';
import { tellOfImport } from './importNews.ts';
import { findImport, type ImportKey, takeFile } from './importStore.ts';

/** Takes the file of an import, and has it checked. */
export async function receiveImport(
  platform: Platform,
  { projectId, importId }: ImportKey,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const key = { projectId, importId };
  const row = await findImport(platform.db, key);
  if (row?.state !== 'waiting') throw new Problem('UPLOAD_OVER');
  const { place } = await receiveFile(platform, body, importBytesMax);
  const isTaken = await platform.db.tx(async db => {
    if (!(await takeFile(db, key, place))) return false;
    await keepFile(db, place);
    await enqueue(db, 'checkImport', key);
    return true;
  });
  if (!isTaken) {
    await dropFile(platform, place);
    throw new Problem('UPLOAD_OVER');
  }
  tellOfImport(platform, key);
}
