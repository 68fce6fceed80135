import type { EmailTemplateId } from '#contract/emailTemplate.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Letter } from '#server/mail/sending/letter.ts';
import type { DataOf } from './defaultTemplates.ts';
import { contentOf } from './store.ts';

/** An e-mail with the text of the project's template, or of a draft, ready to be queued. */
export async function renderEmailTemplate<Id extends EmailTemplateId>(
  db: Db,
  projectId: string,
  templateId: Id,
  data: DataOf<Id>,
  draft?: { subject: string; body: string },
): Promise<Letter> {
  // Loaded with the first e-mail, because it imports the template engine.
  const { renderMail } = await import('./renderMail.ts');
  return renderMail(draft ?? (await contentOf(db, projectId, templateId)), data);
}
