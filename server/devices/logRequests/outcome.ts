import type { LogEntry } from '#contract/log.ts';
import { publishLive } from '#server/api/http/live.ts';
import { appendEntry } from '#server/api/logs/append.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type End, finishRequest, type LogRequestRow, type RequestKey, toLogRequest } from './store.ts';

const sentences: Partial<Record<LogRequestRow['status'], string>> = {
  success: 'Log uploaded',
  nologs: 'No log lines in the requested time range',
  failure: 'Log request failed',
};

/**
 * Ends a pending request with the result from its device. Returns false if it was over already: it cannot be reopened.
 */
export async function endRequest(
  platform: Platform,
  key: RequestKey,
  end: End,
  alongside: (db: Db) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const now = platform.clock();
  const kept = await platform.db.tx(async db => {
    const row = await finishRequest(db, key, end, now);
    if (!row) return undefined;
    await alongside(db);
    return { row, entry: await recordOutcome(db, platform, row, now) };
  });
  if (!kept) return false;
  publishRequest(platform, kept.row);
  publishEntry(platform, kept.row, kept.entry);
  return true;
}

/** Writes the outcome of a request to the system log of its device. */
export function recordOutcome(
  db: Db,
  platform: Platform,
  { projectId, deviceId, id, status, error, sizeBytes }: LogRequestRow,
  now: Date,
): Promise<LogEntry> {
  return appendEntry(db, platform, {
    projectId,
    stream: 'system',
    ts: now,
    subject: deviceId,
    level: status === 'failure' ? 1 : 2,
    actor: { callerType: 'device', id: deviceId, displayName: deviceId },
    action: 'logRequest',
    text: `${sentences[status] ?? status}${error === null ? '' : `: ${error}`}`,
    detail: { requestId: id, ...(sizeBytes !== null && { sizeBytes: Number(sizeBytes) }) },
  });
}

export function publishRequest(platform: Platform, row: LogRequestRow): void {
  const { projectId, deviceId } = row;
  publishLive(platform, projectId, { kind: 'device', deviceId, what: 'logRequest', data: toLogRequest(row) });
}

export function publishEntry(
  platform: Platform,
  { projectId, deviceId }: Pick<LogRequestRow, 'projectId' | 'deviceId'>,
  entry: LogEntry,
): void {
  publishLive(platform, projectId, { kind: 'device', deviceId, what: 'entry', data: entry });
}
