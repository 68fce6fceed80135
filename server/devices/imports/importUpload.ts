import { importBytesMax } from '#contract/deviceBulk.ts';
import { Problem } from '#contract/problem.ts';
import type { FileLinks } from '#server/api/files/links.ts';
import { confirmFile, dropFile, receiveFile } from '#server/api/files/receiveFile.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Platform } from '#server/infra/platform.ts';
import { publishImport } from './importNews.ts';
import { findImport, type ImportKey, takeFile } from './importStore.ts';

/** The link with which the file of an import is uploaded. */
export const putImport = ({ projectId, importId }: ImportKey) => ({ kind: 'pi', ids: [projectId, importId] });

export const importFiles: FileLinks = {
  pi: {
    upload: {
      bytesMax: importBytesMax,
      receive: (platform, [projectId = '', importId = ''], body) =>
        receiveImport(platform, { projectId, importId }, body),
    },
  },
};

/** Receives the file of an import and starts its validation. */
async function receiveImport(
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
    await confirmFile(db, place);
    await enqueue(db, 'checkImport', key);
    return true;
  });
  if (!isTaken) {
    await dropFile(platform, place);
    throw new Problem('UPLOAD_OVER');
  }
  publishImport(platform, key);
}
