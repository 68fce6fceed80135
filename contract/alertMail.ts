import { z } from 'zod';
import { alertSeverities } from './deviceFrames.ts';
import { endpoint } from './endpoint.ts';
import { quietHours } from './quietHours.ts';

const wishes = {
  /** Alerts of this severity and above. */
  severity: z.enum(alertSeverities),
  /** Quiet hours. Alerts that are still open when they end are sent then. */
  quiet: quietHours.optional(),
};

export const AlertSubscription = z.object({
  projectId: z.string(),
  projectName: z.string(),
  ...wishes,
});
export type AlertSubscription = z.output<typeof AlertSubscription>;

const own = { role: 'viewer', of: 'project' } as const;
const reasons = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;

export const listAlertSubscriptions = endpoint(
  'listAlertSubscriptions',
  'GET /developers/:developerId/alertSubscriptions',
  {
    summary: 'Lists the projects whose alerts the developer receives by e-mail.',
    access: 'self',
    answer: z.array(AlertSubscription),
    reasons: ['DEVELOPER_NOT_FOUND'],
  },
);

export const setAlertSubscription = endpoint(
  'setAlertSubscription',
  'PUT /projects/:projectId/alertSubscription',
  {
    summary:
      'Subscribes the caller to e-mails about new alerts of a project: at most one e-mail every 15 minutes, with all alerts open at that time.',
    access: own,
    body: z.strictObject(wishes),
    answer: AlertSubscription,
    reasons: [...reasons, 'TIME_ZONE_UNKNOWN'],
    audit: 'E-mails about alerts turned on, minimum severity {severity}',
    makesOld: ['alertSubscriptions'],
    tokenScope: 'none',
  },
);

export const endAlertSubscription = endpoint(
  'endAlertSubscription',
  'DELETE /projects/:projectId/alertSubscription',
  {
    summary: 'Unsubscribes the caller from e-mails about alerts of a project.',
    access: own,
    reasons,
    audit: 'E-mails about alerts turned off',
    makesOld: ['alertSubscriptions'],
    tokenScope: 'none',
  },
);
