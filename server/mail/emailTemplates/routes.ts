import {
  type EmailTemplate,
  type EmailTemplateId,
  editEmailTemplate,
  listEmailTemplates,
  previewEmailTemplate,
  readEmailTemplate,
  revertEmailTemplate,
  testEmailTemplate,
} from '#contract/emailTemplate.ts';
import { Problem } from '#contract/problem.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { queueMail } from '#server/mail/sending/queueMail.ts';
import { checkTemplate } from './check/checkTemplate.ts';
import { type DataOf, defaultTemplates } from './defaultTemplates.ts';
import { renderEmailTemplate } from './renderEmailTemplate.ts';
import { emailTemplateResource, pageOfAll, storeTemplate, templatesOf } from './store.ts';

type Content = Pick<EmailTemplate, 'subject' | 'body'>;

export const emailTemplates: Slice = {
  tables: { email_templates: 'An e-mail template changed by a project.' },
  resources: { emailTemplate: emailTemplateResource },
  routes: [
    on(listEmailTemplates, async ({ db, row, page }) => pageOfAll(await templatesOf(db, row), page)),

    on(readEmailTemplate, async call => call.row),

    on(editEmailTemplate, async call => {
      const template = call.row;
      const { subject = template.subject, body = template.body } = call.body;
      refuseFaults(template.id, { subject, body });
      const kept = await storeGiven(call, template, { subject, body });
      // Whether the text differs from the default follows from the text, so the audit entry does not list it.
      call.before = { ...template, changed: kept.changed };
      return kept;
    }),

    on(revertEmailTemplate, async call => {
      const template = call.row;
      // The audit entry records only the text that is lost; the rest of the template does not change.
      call.before = { id: template.id, subject: template.subject, body: template.body };
      return storeGiven(call, template, template.default);
    }),

    on(previewEmailTemplate, async call => {
      const template = call.row;
      const faults = checkTemplate(call.body, defaultTemplates[template.id].variables);
      if (faults.length > 0) return { subject: '', html: '', text: '', faults };
      // Loaded with the first preview, because it imports the template engine.
      const { renderMail } = await import('./renderMail.ts');
      return { ...renderMail(call.body, samplesOf(template)), faults };
    }),

    on(testEmailTemplate, async call => {
      const { db, platform, me, params, row: template } = call;
      refuseFaults(template.id, call.body);
      const data = samplesOf(template);
      const letter = await renderEmailTemplate(db, params.projectId, template.id, data, call.body);
      await queueMail(db, platform, { to: me.email, letter });
      return { email: me.email };
    }),
  ],
};

function refuseFaults(id: EmailTemplateId, content: Content): void {
  const faults = checkTemplate(content, defaultTemplates[id].variables);
  if (faults.length > 0) throw new Problem('INVALID_TEMPLATE', { context: { faults } });
}

/** Stores the text if it differs, and returns the current template. */
async function storeGiven(
  { db, projectId = '' }: Pick<Call, 'db' | 'projectId'>,
  template: EmailTemplate,
  { subject, body }: Content,
): Promise<EmailTemplate> {
  if (subject === template.subject && body === template.body) return template;
  const revision = await storeTemplate(db, projectId, { id: template.id, subject, body });
  const { default: normal } = template;
  return {
    ...template,
    subject,
    body,
    changed: subject !== normal.subject || body !== normal.body,
    revision,
  };
}

function samplesOf({ variables }: EmailTemplate): DataOf<EmailTemplateId> {
  return Object.fromEntries(variables.map(({ name, sample }) => [name, sample])) as DataOf<EmailTemplateId>;
}
