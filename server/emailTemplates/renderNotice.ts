import type { Letter } from '#server/mail/letter.ts';
import { defaultBody } from './defaultBody.ts';
import type { VariableName } from './variables.ts';

/** What a mail to an end user says that no developer words; in the look of the default templates. */
export type NoticeText = Parameters<typeof defaultBody>[0];

export async function renderNotice(
  says: NoticeText,
  data: Readonly<Partial<Record<VariableName, string>>>,
): Promise<Letter> {
  // Loaded with the first mail: it brings the template engine.
  const { renderMail } = await import('./renderMail.ts');
  return renderMail({ subject: says.heading, body: defaultBody(says) }, data);
}
