import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { RequestKey } from './store.ts';

interface LogFile {
  place: string;
  sizeBytes: number;
  filename: string;
}

/** The file of a request that is still there, and its project with it. */
export async function findLogFile(db: Db, { projectId, deviceId, requestId }: RequestKey): Promise<LogFile> {
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
  };
}
