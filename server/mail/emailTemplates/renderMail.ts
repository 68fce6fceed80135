import { type Letter, subjectLine } from '#server/mail/sending/letter.ts';
import { inert } from '#server/mail/sending/names.ts';
import { renderHtml, renderPlain } from './engine.ts';
import { htmlToText } from './htmlToText.ts';
import { kindOf, type VariableName } from './variables.ts';

/** Renders an e-mail from a template that passed the check. */
export function renderMail(
  template: { subject: string; body: string },
  data: Readonly<Partial<Record<VariableName, string>>>,
): Letter {
  const values = Object.fromEntries(
    Object.entries(data).map(([name, value = '']) => [name, kindOf(name) === 'name' ? inert(value) : value]),
  );
  const html = renderHtml(template.body, values);
  // A value may contain a line break even though the template does not.
  return { subject: subjectLine(renderPlain(template.subject, values)), text: htmlToText(html), html };
}
