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
/** Days after which a request to a device that never connects fails. */
export const logRequestDaysMax = 7;
/** How far in the future the range of a request may end. */
export const logRequestAheadDaysMax = 366;

export const LogRequest = z.object({
  id: z.string(),
  deviceId: z.string(),
  status: z.enum(logRequestStatuses),
  ts: time,
  start: time,
  end: time,
  prefixes: z.array(z.string()),
  /** The download URL of a successful request, valid for 15 minutes. */
  url: z.string().optional(),
  sizeBytes: z.number().int().optional(),
  /** Why the request failed, as a sentence. */
  error: z.string().optional(),
  finishedAt: time.optional(),
});
export type LogRequest = z.output<typeof LogRequest>;

const reasons = ['DEVICE_NOT_FOUND'] as const;

export const readDeviceLogEntries = endpoint('readDeviceLogEntries', 'GET /devices/:deviceId/logEntries', {
  summary: 'Lists the system log of a device within a time range, newest first.',
  access: { role: 'viewer', of: 'devicePart' },
  query: readLogEntries.query,
  answer: readLogEntries.answer,
  reasons: [...reasons, 'INVALID_RANGE'],
});

export const exportDeviceLogEntries = endpoint(
  'exportDeviceLogEntries',
  'GET /devices/:deviceId/logEntries/export',
  {
    summary: 'Exports the same entries as JSON lines or CSV.',
    access: { role: 'viewer', of: 'devicePart' },
    query: exportLogEntries.query,
    raw: 'download',
    reasons: [...reasons, 'INVALID_RANGE'],
  },
);

export const listLogRequests = endpoint('listLogRequests', 'GET /devices/:deviceId/logRequests', {
  summary:
    'Lists the log requests of a device. `statuses` can be repeated. Log requests are kept for 30 days.',
  access: { role: 'viewer', of: 'devicePart' },
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
    'Requests a device’s own log for a time range. The device receives the request immediately, or when it next connects, and has seven days to answer.',
  access: { role: 'developer', of: 'devicePart' },
  body: z.strictObject({
    start: moment,
    end: moment,
    /** Only lines that start with one of these prefixes; empty: all lines. */
    prefixes: z
      .array(z.string().trim())
      .max(prefixesMax)
      .transform(all => all.filter(prefix => prefix !== ''))
      .superRefine((all, { addIssue }) => {
        // The console has one field for all prefixes, so errors point at the field and not at one prefix.
        if (all.some(({ length }) => length > prefixLengthMax))
          addIssue({ code: 'too_big', origin: 'string', maximum: prefixLengthMax, input: all });
      }),
  }),
  answer: LogRequest,
  reasons: [
    ...reasons,
    'ROLE_TOO_LOW',
    'LOG_REQUEST_PENDING',
    'START_NOT_BEFORE_END',
    'INVALID_RANGE',
    'LOG_RETRIEVAL_OFF',
  ],
  audit: 'Log of device {deviceId} requested',
});

export const readLogRequest = endpoint('readLogRequest', 'GET /devices/:deviceId/logRequests/:requestId', {
  summary: 'Retrieves a log request.',
  access: { role: 'viewer', of: 'devicePart' },
  answer: LogRequest,
  reasons: [...reasons, 'LOG_REQUEST_NOT_FOUND'],
});

export const cancelLogRequest = endpoint(
  'cancelLogRequest',
  'DELETE /devices/:deviceId/logRequests/:requestId',
  {
    summary: 'Cancels a pending log request.',
    access: { role: 'developer', of: 'devicePart' },
    reasons: [...reasons, 'ROLE_TOO_LOW', 'LOG_REQUEST_NOT_FOUND', 'LOG_REQUEST_OVER'],
    audit: 'Log request of device {id} cancelled',
  },
);
