import { z } from 'zod';
import { Alert, alertFilters } from './alert.ts';
import { alertSeverities } from './deviceFrames.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { time } from './shapes.ts';

/** What alerts can be grouped by. A cause is a rule or an event, with a severity. */
export const alertGroupings = ['cause', 'device'] as const;
export type AlertGrouping = (typeof alertGroupings)[number];

/** The newest alerts that are grouped, and the groups returned of them. */
export const groupedAlertsMax = 10_000;
export const alertGroupsMax = 100;
/** How many hours `raisedPerHour` covers. */
export const raisedHours = 24;

export const AlertGroup = z.object({
  /** Stays the same while the group exists. */
  id: z.string().meta({ examples: ['warning:module:frost-guard'] }),
  /** The highest severity in the group. */
  severity: z.enum(alertSeverities),
  alerts: z.number().int(),
  devices: z.number().int(),
  /** When the oldest of these alerts was raised, and the newest report. */
  raisedAt: time,
  lastAt: time,
  /** The alert that was reported last. */
  newest: Alert,
  /**
   * How many alerts of the group, in any state, were raised in each of the last 24 hours, the oldest hour first. The
   * newest 10,000 alerts of the project count.
   */
  raisedPerHour: z
    .array(z.number().int())
    .length(raisedHours)
    .meta({ examples: [Array.from({ length: raisedHours }, (_, hour) => (hour < 20 ? 0 : hour - 19))] }),
});
export type AlertGroup = z.output<typeof AlertGroup>;

const AlertGroups = z.object({
  /** How many alerts match, and how many groups they make. The newest 10,000 alerts that match count. */
  alerts: z.number().int(),
  total: z.number().int(),
  groups: z.array(AlertGroup),
});
export type AlertGroups = z.output<typeof AlertGroups>;

export const listAlertGroups = endpoint('listAlertGroups', 'GET /projects/:projectId/alertGroups', {
  summary:
    'Groups the alerts of a project by their cause (a rule or an event, with a severity) or by device. Critical groups come first, then those with the newest report. Returns the first 100 groups of the newest 10,000 alerts that match.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({
    by: z.enum(alertGroupings).default('cause'),
    ...alertFilters,
    search: pagingQuery.search,
  }),
  answer: AlertGroups,
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'INVALID_RANGE'],
  capability: 'canAdmin',
});
