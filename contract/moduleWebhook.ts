import { z } from 'zod';
import { previousSignsHours } from '#rules/time/lifetimes.ts';
import { endpoint } from './endpoint.ts';
import { time } from './shapes.ts';

export const WebhookSecret = z.object({
  /** Only this response contains it. */
  secret: z.string(),
  /** Until then, webhooks are signed with the previous secret as well. Absent: there was none. */
  previousUntil: time.optional(),
});
export type WebhookSecret = z.output<typeof WebhookSecret>;

export const rotateWebhookSecret = endpoint(
  'rotateWebhookSecret',
  'POST /projects/:projectId/smartModules/:moduleId/signingSecret',
  {
    summary: `Gives a webhook a new signing secret, which only this response contains. Requests are also signed with the previous one for ${previousSignsHours} hours.`,
    access: { role: 'developer', of: 'smartModule' },
    answer: WebhookSecret,
    reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'SMART_MODULE_NOT_FOUND', 'ROLE_TOO_LOW', 'NOT_A_WEBHOOK'],
    audit: 'Signing secret of smart module {moduleId} rotated',
    makesOld: ['smartModules'],
    capability: 'canAdmin',
  },
);
