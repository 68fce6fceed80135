import type { LogRequestFrame, LogRequestStatusFrame } from '#contract/deviceProtocol.ts';
import { fileUrl } from '#server/api/files/links.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { putLog } from './logFile.ts';
import { endRequest, publishRequest } from './outcome.ts';
import { findPending, markUploading, type RequestKey } from './store.ts';

/** The log request that a device gets when it connects, or at once if it is connected. */
export async function pendingLogRequestFrame(
  db: Db,
  platform: Platform,
  projectId: string,
  deviceId: string,
): Promise<LogRequestFrame | undefined> {
  const row = await findPending(db, projectId, deviceId);
  if (!row || row.expiresAt <= platform.clock()) return undefined;
  return {
    id: row.id,
    start: row.start.toISOString(),
    end: row.end.toISOString(),
    prefixes: row.prefixes,
    uploadUrl: fileUrl(platform, putLog({ projectId, deviceId, requestId: row.id }), row.expiresAt),
    expiresAt: row.expiresAt.toISOString(),
  };
}

/**
 * Stores the status that a device reports for a request. Applies only to the device's own pending request; returns
 * false if the request is over or never existed.
 */
export async function recordLogRequestStatus(
  platform: Platform,
  key: RequestKey,
  { status, error }: LogRequestStatusFrame,
): Promise<boolean> {
  if (status !== 'uploading') return endRequest(platform, key, { status, error });
  const row = await markUploading(platform.db, key, platform.clock());
  if (row) publishRequest(platform, row);
  return row !== undefined;
}
