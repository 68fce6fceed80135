import type { TemplateFault } from '#contract/emailTemplate.ts';
import { findMarkup } from '#server/mail/emailTemplates/markup.ts';
import type { VariableName } from '#server/mail/emailTemplates/variables.ts';
import { checkBody } from './checkBody.ts';
import { checkMarkup, checkStrayBraces } from './checkMarkup.ts';
import { Structure } from './structure.ts';
import { Faults } from './templateFaults.ts';

const subjectMax = 200;
/** Gmail truncates longer e-mails. */
export const bodyMax = 100_000;

/** All errors of a template, each with its position; empty if the template is valid. */
export function checkTemplate(
  content: { subject: string; body: string },
  variables: readonly VariableName[],
): TemplateFault[] {
  const subject = new Faults();
  const body = new Faults();
  checkSubject(content.subject, variables, subject);
  if (mayBeRead(content.body, bodyMax, body)) checkBody(content.body, variables, body);
  return [...subject.inOrder('subject', content.subject), ...body.inOrder('body', content.body)];
}

function checkSubject(text: string, variables: readonly VariableName[], faults: Faults): void {
  for (const { index, 0: found } of text.matchAll(/\r\n|[\r\n\u0085\u2028\u2029]/g)) {
    const said = 'A subject must be one line: text after a line break would become an e-mail header.';
    faults.add('LINE_BREAK', { at: index, length: found.length }, said);
  }
  if (!mayBeRead(text, subjectMax, faults)) return;
  const markup = findMarkup(text, faults);
  const structure = new Structure(faults);
  for (const one of markup) checkMarkup(one, { text, variables, faults, structure });
  structure.end();
  checkStrayBraces({ text, markup, faults }, { from: 0, to: text.length });
}

/** Only a text within the length limit is parsed. */
function mayBeRead(text: string, max: number, faults: Faults): boolean {
  if (text.trim() === '') {
    faults.add('EMPTY', { at: 0, length: text.length }, 'This is required.');
    return false;
  }
  if (text.length > max) {
    const said = `This is longer than ${max.toLocaleString('en')} characters.`;
    faults.add('TOO_LONG', { at: max, length: text.length - max }, said);
    return false;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters
  for (const { index } of text.matchAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffc]/g)) {
    faults.add(
      'CONTROL_CHARACTER',
      { at: index, length: 1 },
      'This is an invisible control character. Remove it.',
    );
    if (faults.isFull) return false;
  }
  return true;
}
