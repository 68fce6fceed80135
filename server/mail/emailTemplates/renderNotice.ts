import type { Letter } from '#server/mail/sending/letter.ts';
import { defaultLayout } from './defaultLayout.ts';
import type { VariableName } from './variables.ts';

/** The text of an e-mail to an end user that developers cannot edit, in the layout of the default templates. */
export type NoticeText = Parameters<typeof defaultLayout>[0];

export async function renderNotice(
  says: NoticeText,
  data: Readonly<Partial<Record<VariableName, string>>>,
): Promise<Letter> {
  // Loaded with the first e-mail, because it imports the template engine.
  const { renderMail } = await import('./renderMail.ts');
  return renderMail({ subject: says.heading, body: defaultLayout(says) }, data);
}
