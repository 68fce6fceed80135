import { logFileBytesMax } from '#contract/logRequest.ts';
import { Problem } from '#contract/problem.ts';
import { confirmFile, dropFile, receiveFile } from '#server/api/files/receiveFile.ts';
import type { Platform } from '#server/infra/platform.ts';
import { CheckedLog } from './checkedLog.ts';
import { endRequest, publishRequest } from './outcome.ts';
import { type RequestKey, startUpload } from './store.ts';

/**
 * Receives the log that a device uploads. An invalid log fails the request; an interrupted upload changes nothing, and
 * the device may retry. Of two concurrent uploads, the first to finish counts.
 */
export async function receiveLog(
  platform: Platform,
  key: RequestKey,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const begun = await startUpload(platform.db, key, platform.clock());
  if (!begun) throw new Problem('UPLOAD_OVER');
  publishRequest(platform, begun);
  const log = new CheckedLog(body);
  const { place, bytes } = await receiveFile(platform, log, logFileBytesMax).catch(async error => {
    if (isUnfit(error)) await endRequest(platform, key, { status: 'failure', error: error.message });
    throw error;
  });
  platform.traffic.count(key.projectId, 'bytes', bytes);
  const isEmpty = log.lineCount === 0;
  const isKept = isEmpty
    ? await endRequest(platform, key, { status: 'nologs' })
    : await endRequest(platform, key, { status: 'success', file: place, sizeBytes: bytes }, db =>
        confirmFile(db, place),
      );
  if (isEmpty || !isKept) await dropFile(platform, place);
  if (!isKept) throw new Problem('UPLOAD_OVER');
}

/** The same log would fail again. */
function isUnfit(error: unknown): error is Problem {
  return error instanceof Problem && (error.reason === 'FILE_UNFIT' || error.reason === 'TOO_LARGE');
}
