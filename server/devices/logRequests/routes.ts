import {
  cancelLogRequest,
  createLogRequest,
  type LogRequest,
  listLogRequests,
  logRequestAheadDaysMax,
  logRequestDaysMax,
  readLogRequest,
} from '#contract/logRequest.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { fileUrl } from '#server/api/files/links.ts';
import type { Slice } from '#server/api/slice.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { getLog, logFiles } from './logFile.ts';
import { publishRequest } from './outcome.ts';
import { failLogRequestsJob, logRequestChores } from './overdue.ts';
import {
  findRequest,
  finishRequest,
  insertRequest,
  type LogRequestRow,
  type RequestKey,
  requestsOf,
  toLogRequest,
} from './store.ts';

/** How long a download link works after it was read. */
const linkMs = 15 * minuteMs;

export const logRequests: Slice = {
  tables: { log_requests: 'A request for a device log, and the location of its file.' },
  idPrefixes: ['lrq'],
  files: logFiles,
  jobs: platform => ({ tasks: { failLogRequests: failLogRequestsJob(platform) } }),
  schedule: [{ task: 'failLogRequests', at: '*/5 * * * *' }],
  chores: logRequestChores,
  constraints: {
    log_requests_pending: 'LOG_REQUEST_PENDING',
    log_requests_project_id_device_id_fkey: 'DEVICE_NOT_FOUND',
  },
  routes: [
    on(listLogRequests, ({ db, projectId = '', params, query, page }) =>
      requestsOf(db, { projectId, ...params }, query.statuses, page),
    ),

    on(createLogRequest, async call => {
      const row = await createRequest(call);
      call.afterCommit(() => {
        publishRequest(call.platform, row);
        notifyDevice(call.platform, row.deviceId, { kind: 'logRequest' });
      });
      return toLogRequest(row);
    }),

    on(readLogRequest, async call => {
      const row = await findRequest(call.db, keyOf(call));
      if (!row) throw new Problem('LOG_REQUEST_NOT_FOUND');
      return withUrl(call, row);
    }),

    on(cancelLogRequest, async call => {
      const { db, now, platform } = call;
      const row = await finishRequest(db, keyOf(call), { status: 'cancelled' }, now);
      if (!row)
        throw new Problem(
          (await findRequest(db, keyOf(call))) ? 'LOG_REQUEST_OVER' : 'LOG_REQUEST_NOT_FOUND',
        );
      call.afterCommit(() => {
        publishRequest(platform, row);
        notifyDevice(platform, row.deviceId, { kind: 'logRequest' });
      });
    }),
  ],
};

async function createRequest(call: Call<typeof createLogRequest>): Promise<LogRequestRow> {
  const { db, body, params, now, platform, projectId = '' } = call;
  const [start, end] = [new Date(body.start), new Date(body.end)];
  if (!(await isRetrievalOn(db, projectId))) throw new Problem('LOG_RETRIEVAL_OFF');
  if (start >= end) throw new Problem('START_NOT_BEFORE_END');
  const expiresAt = new Date(now.getTime() + logRequestDaysMax * dayMs);
  // The request ends before there can be such a log.
  if (start >= expiresAt) {
    const message = 'This range is too far in the future. Choose an earlier start.';
    throw new Problem('INVALID_RANGE', { message, fields: { start: 'INVALID_RANGE' } });
  }
  if (end.getTime() > now.getTime() + logRequestAheadDaysMax * dayMs) {
    const message = 'This range ends too far in the future. Choose an earlier end.';
    throw new Problem('INVALID_RANGE', { message, fields: { end: 'INVALID_RANGE' } });
  }
  const id = platform.newId('lrq');
  const given = { id, projectId, deviceId: params.deviceId, ts: now, start, end, expiresAt };
  const row = await insertRequest(db, { ...given, prefixes: [...new Set(body.prefixes)] });
  if (!row) throw new Problem('DEVICE_NOT_FOUND');
  return row;
}

async function isRetrievalOn(db: Db, projectId: string): Promise<boolean> {
  const found = await db.one(
    sql`select 1 as found from projects where id = ${projectId} and enable_device_log_retrieval`,
  );
  return found !== undefined;
}

function keyOf({
  projectId = '',
  params,
}: Call<typeof readLogRequest> | Call<typeof cancelLogRequest>): RequestKey {
  return { projectId, ...params };
}

function withUrl({ platform, now }: Call<typeof readLogRequest>, row: LogRequestRow): LogRequest {
  if (row.file === null) return toLogRequest(row);
  const link = getLog({ projectId: row.projectId, deviceId: row.deviceId, requestId: row.id });
  return { ...toLogRequest(row), url: fileUrl(platform, link, new Date(now.getTime() + linkMs)) };
}
