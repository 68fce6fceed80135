import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { exportLogEntries, readLogEntries } from './log.ts';
import { pagingQuery } from './paging.ts';
import { moment, time } from './shapes.ts';

export const logRequestStatuses = [
  'requested',
  'uploading',
  'cancelled',
  'failure',
  'success',
  'nologs',
] as const;
export const logFileBytesMax = 64 * 1024 * 1024;
export const prefixesMax = 50;
export const prefixLengthMax = 100;
export const logRequestPageSize = 10;
/** Days until a device that never connects has failed to answer. */
export const logRequestDaysMax = 7;

export const LogRequest = z.object({
  id: z.string(),
  deviceId: z.string(),
  status: z.enum(logRequestStatuses),
  ts: time,
  start: time,
  end: time,
  prefixes: z.array(z.string()),
  /** Where the file is, for a quarter of an hour; only of a request that succeeded. */
  url: z.string().optional(),
  sizeBytes: z.number().int().optional(),
  /** Why it failed, in a sentence. */
  error: z.string().optional(),
  finishedAt: time.optional(),
});
export type LogRequest = z.output<typeof LogRequest>;

const reasons = ['DEVICE_NOT_FOUND'] as const;

export const readDeviceLogEntries = endpoint('readDeviceLogEntries', 'GET /devices/:deviceId/logEntries', {
  summary: 'The system log of a device: entries between two times, newest first.',
  access: { role: 'viewer', of: 'device' },
  query: readLogEntries.query,
  answer: readLogEntries.answer,
  reasons: [...reasons, 'INVALID_RANGE'],
});

export const exportDeviceLogEntries = endpoint(
  'exportDeviceLogEntries',
  'GET /devices/:deviceId/logEntries/export',
  {
    summary: 'The same entries as a file: JSON lines, or CSV.',
    access: { role: 'viewer', of: 'device' },
    query: exportLogEntries.query,
    raw: 'download',
    reasons: [...reasons, 'INVALID_RANGE'],
  },
);

export const listLogRequests = endpoint('listLogRequests', 'GET /devices/:deviceId/logRequests', {
  summary: 'Lists the log requests of a device; `statuses` may be given more than once. Kept 30 days.',
  access: { role: 'viewer', of: 'device' },
  query: z.strictObject({
    ...pagingQuery,
    statuses: z
      .union([z.enum(logRequestStatuses).transform(one => [one]), z.array(z.enum(logRequestStatuses))])
      .optional(),
  }),
  list: { sortBy: ['ts', 'status', 'start', 'end'], default: 'ts:desc' },
  answer: z.array(LogRequest),
  reasons,
});

export const createLogRequest = endpoint('createLogRequest', 'POST /devices/:deviceId/logRequests', {
  summary:
    'Asks a device for its log between two times. It is told at once or when it next connects, and has seven days.',
  access: { role: 'developer', of: 'device' },
  body: z.strictObject({
    start: moment,
    end: moment,
    /** Only lines that begin with one of these; none: all lines. */
    prefixes: z
      .array(z.string().trim())
      .max(prefixesMax)
      .transform(all => all.filter(prefix => prefix !== ''))
      .superRefine((all, { addIssue }) => {
        // People give all of them in one field, so that this is what is marked.
        if (all.some(({ length }) => length > prefixLengthMax))
          addIssue({ code: 'too_big', origin: 'string', maximum: prefixLengthMax, input: all });
      }),
  }),
  answer: LogRequest,
  reasons: [...reasons, 'ROLE_TOO_LOW', 'LOG_REQUEST_PENDING', 'START_NOT_BEFORE_END', 'LOG_RETRIEVAL_OFF'],
  audit: 'Log of device {deviceId} requested',
});

export const readLogRequest = endpoint('readLogRequest', 'GET /devices/:deviceId/logRequests/:requestId', {
  summary: 'Reads one log request.',
  access: { role: 'viewer', of: 'device' },
  answer: LogRequest,
  reasons: [...reasons, 'LOG_REQUEST_NOT_FOUND'],
});

export const cancelLogRequest = endpoint(
  'cancelLogRequest',
  'DELETE /devices/:deviceId/logRequests/:requestId',
  {
    summary: 'Cancels a log request that is pending.',
    access: { role: 'developer', of: 'device' },
    reasons: [...reasons, 'ROLE_TOO_LOW', 'LOG_REQUEST_NOT_FOUND', 'LOG_REQUEST_OVER'],
    audit: 'Log request of device {id} cancelled',
  },
);
