import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { logFilters, logLevels, whole } from './log.ts';
import { time } from './shapes.ts';

/** How many entries are counted at most: the newest of the range. */
export const countedEntriesMax = 50_000;

const byLevel = z
  .array(z.number().int())
  .length(logLevels.length)
  .meta({ examples: [[2, 14, 480, 0]] });

export const LogCounts = z.object({
  /** Entries of each level, whatever text and level are asked for. */
  levels: byLevel,
  /** Entries that meet all filters. */
  hits: z.number().int(),
  /** The length of a part of the range. */
  stepMs: z.number().int(),
  /** The parts that have entries, oldest first. */
  parts: z.array(z.object({ begin: time, levels: byLevel })),
  /** Set if there are more entries than are counted: those before this time are not. */
  countedFrom: time.optional(),
});
export type LogCounts = z.output<typeof LogCounts>;

const query = z.strictObject({
  ...logFilters,
  /** Into how many parts the range is divided, 96 by default. */
  parts: whole.refine(n => n >= 1 && n <= 200).optional(),
});

export const countLogEntries = endpoint('countLogEntries', 'GET /projects/:projectId/logEntries/counts', {
  summary: `Counts audit log entries by time and level, at most the newest ${countedEntriesMax} of the range.`,
  access: { role: 'viewer', of: 'project' },
  query,
  answer: LogCounts,
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'INVALID_RANGE'],
});

export const countHttpLogEntries = endpoint(
  'countHttpLogEntries',
  'GET /projects/:projectId/httpLogEntries/counts',
  {
    summary: `Counts calls by time and outcome, at most the newest ${countedEntriesMax} of the range.`,
    access: { role: 'viewer', of: 'project' },
    query,
    answer: LogCounts,
    reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'INVALID_RANGE'],
  },
);

export const countDeviceLogEntries = endpoint(
  'countDeviceLogEntries',
  'GET /devices/:deviceId/logEntries/counts',
  {
    summary: `Counts entries of a device’s system log by time and level, at most the newest ${countedEntriesMax} of the range.`,
    access: { role: 'viewer', of: 'devicePart' },
    query,
    answer: LogCounts,
    reasons: ['DEVICE_NOT_FOUND', 'INVALID_RANGE'],
  },
);
