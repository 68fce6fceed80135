import { logFileBytesMax } from '#contract/logRequest.ts';
import { Problem } from '#contract/problem.ts';
import type { FileLinks, StoredFile } from '#server/api/files/links.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { receiveLog } from './receiveLog.ts';
import type { RequestKey } from './store.ts';

/** The link with which a device uploads its log, and the one with which the log is downloaded. */
export const putLog = ({ projectId, deviceId, requestId }: RequestKey) => ({
  kind: 'pl',
  ids: [projectId, deviceId, requestId],
});
export const getLog = (key: RequestKey) => ({ ...putLog(key), kind: 'gl' });

export const logFiles: FileLinks = {
  pl: {
    upload: {
      bytesMax: logFileBytesMax,
      receive: (platform, ids, body) => receiveLog(platform, keyOf(ids), body),
    },
  },
  gl: { download: ({ db }, ids) => findLogFile(db, keyOf(ids)) },
};

function keyOf([projectId = '', deviceId = '', requestId = '']: readonly string[]): RequestKey {
  return { projectId, deviceId, requestId };
}

/** The file of a request, if it still exists, and its project. */
export async function findLogFile(
  db: Db,
  { projectId, deviceId, requestId }: RequestKey,
): Promise<StoredFile> {
  const row = await db.one<{ file: string; sizeBytes: string; start: Date }>(sql`
    select r.file, r.size_bytes as "sizeBytes", r.start_at as start
    from log_requests r join projects p on p.id = r.project_id and p.deleted_at is null
    where r.project_id = ${projectId} and r.device_id = ${deviceId} and r.id = ${requestId} and r.file is not null`);
  if (!row) throw new Problem('FILE_NOT_FOUND');
  const day = row.start.toISOString().slice(0, 10);
  return {
    place: row.file,
    sizeBytes: Number(row.sizeBytes),
    filename: `log-${deviceId}-${day}.jsonl.gz`,
    contentType: 'application/gzip',
    // A stored file never changes, so the id of the request identifies its content.
    etag: `"${requestId}"`,
  };
}
