import { confirmFile, dropFile, receiveFile } from '#server/api/files/receiveFile.ts';
import { zip } from '#server/api/files/zip.ts';
import { publishLive } from '#server/api/http/live.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { exportFiles } from './exportFiles.ts';
import { type ExportRow, findExport, finishExport } from './exportStore.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    exportUser: { projectId: string; exportId: string };
  }
}

/** The size limit of a ZIP archive. */
const bytesMax = 4 * 1024 ** 3;

/**
 * The job that writes the file of an export. If it is killed, it starts again; another job deletes the incomplete file.
 */
export function exportUserJob(platform: Platform): Task<'exportUser'> {
  return async (key, { isLast }) => {
    const row = await findExport(platform.db, key);
    if (row?.state !== 'running') return;
    try {
      await writeExport(platform, row);
    } catch (error) {
      if (!isLast) throw error;
      await finishExport(platform.db, key, { state: 'failed' });
      platform.log('error', 'An export of a user failed', { exportId: key.exportId, error: String(error) });
    }
    const path = `/users/${row.userId}/exports/${row.id}`;
    publishLive(platform, row.projectId, { kind: 'changed', path, makesOld: undefined });
  };
}

async function writeExport(platform: Platform, row: ExportRow): Promise<void> {
  const { db, clock } = platform;
  const key = { projectId: row.projectId, exportId: row.id };
  const { place, bytes } = await receiveFile(platform, zip(exportFiles(db, row), clock()), bytesMax);
  const isKept = await db.tx(async tx => {
    const isThere = await finishExport(tx, key, { state: 'done', file: place, sizeBytes: bytes });
    if (isThere) await confirmFile(tx, place);
    return isThere;
  });
  if (!isKept) await dropFile(platform, place);
}
