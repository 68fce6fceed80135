import { z } from 'zod';
import { hourS } from '#rules/time/durations.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { revision, text } from './shapes.ts';

/** The e-mails that a project sends to its end users. */
export const emailTemplateIds = [
  'user-verification',
  'user-invite',
  'user-password-reset',
  'user-email-update',
  'home-member-invite',
  'home-member-notify',
] as const;
export type EmailTemplateId = (typeof emailTemplateIds)[number];

/** The filters for values, each with an example: `{{ user.name | truncate: 20 }}`. */
export const emailFilters = {
  capitalize: 'user.name | capitalize',
  default: 'user.name | default: "friend"',
  downcase: 'user.email | downcase',
  truncate: 'user.name | truncate: 20',
  upcase: 'user.name | upcase',
  url_encode: 'user.email | url_encode',
} as const;

export const EmailTemplate = z.object({
  id: z.enum(emailTemplateIds),
  name: z.string(),
  description: z.string(),
  /** One line; takes the same variables as `body`. */
  subject: z.string(),
  /** HTML with variables: `{{ user.name }}`. */
  body: z.string(),
  /** The variables the template can use, each with its sample value. */
  variables: z.array(z.object({ name: z.string(), description: z.string(), sample: z.string() })),
  /** True: the subject or body differs from the default. */
  changed: z.boolean(),
  default: z.object({ subject: z.string(), body: z.string() }),
  revision,
});
export type EmailTemplate = z.output<typeof EmailTemplate>;

/**
 * An error in a template and its position: lines and columns count from 1, columns and `length` in UTF-16
 * units.
 */
export const TemplateFault = z.object({
  field: z.enum(['subject', 'body']),
  code: z.string(),
  message: z.string(),
  line: z.number().int(),
  column: z.number().int(),
  /** The length of the faulty text, across line ends. */
  length: z.number().int(),
});
export type TemplateFault = z.output<typeof TemplateFault>;

const content = { subject: z.string().max(500), body: text(200_000) };
const reasons = ['RESOURCE_NOT_FOUND'] as const;

export const listEmailTemplates = endpoint('listEmailTemplates', 'GET /projects/:projectId/emailTemplates', {
  summary: 'Lists the e-mail templates in use with the project’s current settings.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['position'], default: 'position:asc', whole: true },
  answer: z.array(EmailTemplate),
  reasons: ['NOT_A_MEMBER', 'PROJECT_NOT_FOUND'],
});

export const readEmailTemplate = endpoint(
  'readEmailTemplate',
  'GET /projects/:projectId/emailTemplates/:templateId',
  {
    summary: 'Retrieves an e-mail template.',
    access: { role: 'viewer', of: 'emailTemplate' },
    answer: EmailTemplate,
    reasons,
  },
);

export const editEmailTemplate = endpoint(
  'editEmailTemplate',
  'PATCH /projects/:projectId/emailTemplates/:templateId',
  {
    summary:
      'Updates the subject or body. A template that cannot be rendered is rejected, with the position of each error.',
    access: { role: 'developer', of: 'emailTemplate' },
    body: z.strictObject(content).partial(),
    answer: EmailTemplate,
    reasons: [...reasons, 'INVALID_TEMPLATE', 'ROLE_TOO_LOW', 'STALE'],
    audit: 'E-mail template {id} updated',
  },
);

export const revertEmailTemplate = endpoint(
  'revertEmailTemplate',
  'DELETE /projects/:projectId/emailTemplates/:templateId',
  {
    summary: 'Reverts an e-mail template to the default.',
    access: { role: 'developer', of: 'emailTemplate' },
    answer: EmailTemplate,
    reasons: [...reasons, 'ROLE_TOO_LOW', 'STALE'],
    audit: 'E-mail template {id} reverted to the default',
  },
);

export const previewEmailTemplate = endpoint(
  'previewEmailTemplate',
  'POST /projects/:projectId/emailTemplates/:templateId/preview',
  {
    summary:
      'Renders a subject and body with sample data without saving. Returns errors with their positions.',
    access: { role: 'viewer', of: 'emailTemplate' },
    body: z.strictObject(content),
    answer: z.object({
      subject: z.string(),
      html: z.string(),
      text: z.string(),
      faults: z.array(TemplateFault),
    }),
    reasons,
    audit: null,
  },
);

export const testEmailTemplate = endpoint(
  'testEmailTemplate',
  'POST /projects/:projectId/emailTemplates/:templateId/test',
  {
    summary: 'Sends the given subject and body, filled with sample data, to your own address.',
    access: { role: 'developer', of: 'emailTemplate' },
    body: z.strictObject(content),
    answer: z.object({ email: z.string() }),
    reasons: [...reasons, 'INVALID_TEMPLATE', 'ROLE_TOO_LOW', 'TOO_MANY_REQUESTS'],
    audit: 'Test e-mail of template {id} sent to {email}',
    limit: { count: 30, windowS: hourS },
  },
);
