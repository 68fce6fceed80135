import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { rangeMoment, time } from './shapes.ts';

export const callerTypes = [
  'agent',
  'user',
  'device',
  'mcrmtUser',
  'operator',
  'developer',
  'projectKey',
] as const;

/** Log levels by number (spec §9). */
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
  }),
  /** The name of the call, or of what happened. */
  action: z.string(),
  text: z.string(),
  /** `before` and `after` of a change, and more that helps; secrets masked. */
  detail: z.record(z.string(), z.unknown()).optional(),
});
export type LogEntry = z.output<typeof LogEntry>;

const whole = z.union([
  z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number),
  z.number().int(),
]);

/** What to look for. All given conditions must hold. */
const filters = {
  begin: rangeMoment,
  end: rangeMoment,
  /** Id of the actor. */
  actor: z.string().max(128).optional(),
  action: z.string().max(100).optional(),
  /** A part of the sentence or of what changed, without regard to case. */
  text: z.string().max(200).optional(),
  /** This level and the graver ones. */
  level: z.union([z.enum(['0', '1', '2', '3']).transform(Number), z.number().int().min(0).max(3)]).optional(),
};

/**
 * The header of an answer for which there was no time to look further: go on with this time as `end`. Only a search for
 * less than four letters in a large log ever needs it.
 */
export const searchedToHeader = 'searched-to';

const query = z.strictObject({
  ...filters,
  maxEntries: whole.refine(n => n >= 1 && n <= 999).optional(),
  /** The id of the last entry of the page before: goes on from there. */
  after: z.string().max(64).optional(),
});

const reasons = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'INVALID_RANGE'] as const;

export const readLogEntries = endpoint('readLogEntries', 'GET /projects/:projectId/logEntries', {
  summary: 'The audit log: entries between two times, newest first, 100 unless `maxEntries` says otherwise.',
  access: { role: 'viewer', of: 'project' },
  query,
  answer: z.array(LogEntry),
  reasons,
});

export const readHttpLogEntries = endpoint('readHttpLogEntries', 'GET /projects/:projectId/httpLogEntries', {
  summary: 'Calls of apps, services and proxy routes between two times, newest first.',
  access: { role: 'viewer', of: 'project' },
  query,
  answer: z.array(LogEntry),
  reasons,
});

export const exportLogEntries = endpoint('exportLogEntries', 'GET /projects/:projectId/logEntries/export', {
  summary: 'The same entries as a file: JSON lines, or CSV.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({ ...filters, format: z.enum(['jsonl', 'csv']) }),
  raw: 'download',
  reasons,
});

export const LogVerification = z.object({
  /** False: an entry was changed, removed or put in after it was sealed. */
  intact: z.boolean(),
  entriesChecked: z.number().int(),
  /** Entries written in the last moments, which the next check covers. */
  entriesNotYetSealed: z.number().int(),
  firstEntryAt: time.optional(),
  lastEntryAt: time.optional(),
  /** The hash of the last seal: whoever keeps a copy elsewhere can prove that nothing before it was rewritten. */
  headHash: z.string().optional(),
  fault: z.object({ entryId: z.string().optional(), at: time.optional(), text: z.string() }).optional(),
});
export type LogVerification = z.output<typeof LogVerification>;

export const verifyLogEntries = endpoint(
  'verifyLogEntries',
  'GET /projects/:projectId/logEntries/verification',
  {
    summary: 'Checks the hash chain over the audit log and says what it checked.',
    access: { role: 'viewer', of: 'project' },
    /** With `head`, a `headHash` of an earlier answer: also checks that the chain still goes through it. */
    query: z.strictObject({
      head: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
    }),
    answer: LogVerification,
    reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
    limit: { count: 60, windowS: 3600 },
  },
);
