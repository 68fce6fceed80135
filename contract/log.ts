import { z } from 'zod';
import { hourS } from '#rules/time/durations.ts';
import { endpoint } from './endpoint.ts';
import { projectOfRow, rangeMoment, time } from './shapes.ts';

export const callerTypes = [
  'agent',
  'user',
  'device',
  'mcrmtUser',
  'operator',
  'developer',
  'projectKey',
] as const;

/** Log levels by number. */
export const logLevels = ['ERROR', 'WARN', 'INFO', 'DEBUG'] as const;

export const LogEntry = z.object({
  id: z.string(),
  ts: time,
  level: z.number().int().min(0).max(3),
  actor: z.object({
    callerType: z.enum(callerTypes),
    id: z.string(),
    displayName: z.string(),
    bySudoer: z.literal(true).optional(),
    /** The name of the access token that was used. */
    tokenName: z.string().optional(),
  }),
  /** The operation id of the call, or the name of the event. */
  action: z.string(),
  text: z.string(),
  /** `before` and `after` of a change, and further details; secrets are masked. */
  detail: z.record(z.string(), z.unknown()).optional(),
});
export type LogEntry = z.output<typeof LogEntry>;

/** A whole number, also as text in a query. */
export const whole = z.union([
  z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number),
  z.number().int(),
]);

/** Filters. All given conditions must match. */
export const logFilters = {
  begin: rangeMoment,
  end: rangeMoment,
  /** Id of the actor. */
  actor: z.string().max(128).optional(),
  action: z.string().max(100).optional(),
  /** Text to find in the sentence or the changes, ignoring case. */
  text: z.string().max(200).optional(),
  /** This level and more severe ones. */
  level: z.union([z.enum(['0', '1', '2', '3']).transform(Number), z.number().int().min(0).max(3)]).optional(),
};

/**
 * The response header of a search that reached its time limit: continue with this time as `end`. Occurs only
 * with fewer than four letters in a large log.
 */
export const searchedToHeader = 'searched-to';

const query = z.strictObject({
  ...logFilters,
  maxEntries: whole.refine(n => n >= 1 && n <= 999).optional(),
  /** The id of the last entry of the previous page, to continue from there. */
  after: z
    .string()
    .max(64)
    .meta({ examples: ['log_01kag4m8y2e6tvp0rm7n4s9cqd'] })
    .optional(),
  /**
   * Instead of a page: the entry with this id and its neighbours, as many before as after it, `maxEntries` in all, 7 by
   * default. The other filters do not apply, so that what happened around it is seen.
   */
  near: z
    .string()
    .max(64)
    .meta({ examples: ['log_01kag4m8y2e6tvp0rm7n4s9cqd'] })
    .optional(),
});

const reasons = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'INVALID_RANGE'] as const;

export const readLogEntries = endpoint('readLogEntries', 'GET /projects/:projectId/logEntries', {
  summary: 'Lists audit log entries within a time range, newest first; `maxEntries` defaults to 100.',
  access: { role: 'viewer', of: 'project' },
  query,
  answer: z.array(LogEntry),
  reasons,
});

export const readHttpLogEntries = endpoint('readHttpLogEntries', 'GET /projects/:projectId/httpLogEntries', {
  summary: 'Lists calls by apps, services and proxy routes within a time range, newest first.',
  access: { role: 'viewer', of: 'project' },
  query,
  answer: z.array(LogEntry),
  reasons,
});

const newestCalls = 'within a time range, newest first.';

export const readUserHttpLogEntries = endpoint(
  'readUserHttpLogEntries',
  'GET /users/:userId/httpLogEntries',
  {
    summary: `Lists calls by an end user ${newestCalls}`,
    access: { role: 'viewer', of: 'user' },
    query,
    answer: z.array(LogEntry),
    reasons: ['USER_NOT_FOUND', 'INVALID_RANGE'],
  },
);

export const readKeyHttpLogEntries = endpoint('readKeyHttpLogEntries', 'GET /keys/:keyId/httpLogEntries', {
  summary: `Lists calls with a key ${newestCalls}`,
  access: { role: 'viewer', of: 'key' },
  query,
  answer: z.array(LogEntry),
  reasons: ['KEY_NOT_FOUND', 'INVALID_RANGE'],
});

export const readAppHttpLogEntries = endpoint('readAppHttpLogEntries', 'GET /apps/:appId/httpLogEntries', {
  summary: `Lists calls by an app and its users ${newestCalls}`,
  access: { role: 'viewer', of: 'app' },
  query: query.extend({ projectId: projectOfRow }),
  answer: z.array(LogEntry),
  reasons: ['APP_NOT_FOUND', 'AMBIGUOUS_ID', 'INVALID_RANGE'],
});

export const readProxyRouteHttpLogEntries = endpoint(
  'readProxyRouteHttpLogEntries',
  'GET /proxyRoutes/:routeId/httpLogEntries',
  {
    summary: `Lists calls through a proxy route ${newestCalls}`,
    access: { role: 'viewer', of: 'proxyRoute' },
    query,
    answer: z.array(LogEntry),
    reasons: ['PROXY_ROUTE_NOT_FOUND', 'INVALID_RANGE'],
  },
);

export const exportLogEntries = endpoint('exportLogEntries', 'GET /projects/:projectId/logEntries/export', {
  summary: 'Exports the same entries as JSON lines or CSV.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({ ...logFilters, format: z.enum(['jsonl', 'csv']) }),
  raw: 'download',
  reasons,
});

export const LogVerification = z.object({
  /** False: an entry was changed, removed or inserted after it was sealed. */
  intact: z.boolean(),
  entriesChecked: z.number().int(),
  /** Entries too recent to be sealed, which the next verification covers. */
  entriesNotYetSealed: z.number().int(),
  firstEntryAt: time.optional(),
  lastEntryAt: time.optional(),
  /** The hash of the last seal. Keep a copy elsewhere to prove later that nothing before it was rewritten. */
  headHash: z.string().optional(),
  fault: z.object({ entryId: z.string().optional(), at: time.optional(), text: z.string() }).optional(),
});
export type LogVerification = z.output<typeof LogVerification>;

export const verifyLogEntries = endpoint(
  'verifyLogEntries',
  'GET /projects/:projectId/logEntries/verification',
  {
    summary: 'Verifies the hash chain of the audit log and reports what was checked.',
    access: { role: 'viewer', of: 'project' },
    /** With `head`, the `headHash` of an earlier answer: also verifies that the chain still contains it. */
    query: z.strictObject({
      head: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
    }),
    answer: LogVerification,
    reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
    limit: { count: 60, windowS: hourS },
  },
);
