import { Expression } from '#server/mail/emailTemplates/expressions.ts';
import type { Markup } from '#server/mail/emailTemplates/markup.ts';
import { kindOf, type VariableName } from '#server/mail/emailTemplates/variables.ts';
import type { Structure } from './structure.ts';
import type { Faults, Place } from './templateFaults.ts';

export interface Checking {
  text: string;
  variables: readonly VariableName[];
  faults: Faults;
  structure: Structure;
}

/** Checks one pair of braces: its content, and what it opens and closes. */
export function checkMarkup(markup: Markup, checking: Checking): void {
  const { kind, from, to, insideFrom, insideTo } = markup;
  const { text, faults } = checking;
  const place = { at: from, length: to - from };
  if (insideFrom === insideTo) {
    faults.add('EMPTY_BRACES', place, 'These braces are empty.');
  } else if (kind === 'output') {
    new Expression(text, { from: insideFrom, to: insideTo }, checking).checkOutput();
  } else {
    const name = /^\w*/.exec(text.slice(insideFrom, insideTo))?.[0] ?? '';
    const expression = new Expression(text, { from: insideFrom + name.length, to: insideTo }, checking);
    checkTag(name, place, { ...checking, expression });
  }
}

const conditions = new Set(['if', 'unless', 'elsif']);
const tags = new Set([...conditions, 'else', 'endif', 'endunless']);

function checkTag(
  name: string,
  place: Place,
  { expression, faults, structure }: Checking & { expression: Expression },
): void {
  if (!tags.has(name)) {
    faults.add(
      'UNKNOWN_TAG',
      place,
      `The tag ${name || 'here'} does not exist. Use if, unless, elsif or else.`,
    );
    return;
  }
  if (conditions.has(name)) expression.checkCondition();
  else expression.checkEmpty();
  if (name === 'elsif' || name === 'else') structure.branch(name, place);
  else if (name.startsWith('end')) structure.closeBlock(name.slice(3), place);
  else structure.openBlock(name, place);
}

/** Reports closing braces without opening ones, as in `user.name }}`. */
export function checkStrayBraces(
  { text, markup, faults }: { text: string; markup: readonly Markup[]; faults: Faults },
  { from, to }: { from: number; to: number },
): void {
  for (const { index, 0: found } of text.slice(from, to).matchAll(/\}\}|%\}/g)) {
    const at = from + index;
    if (markup.some(one => one.from <= at && at < one.to)) continue;
    faults.add('STRAY_BRACES', { at, length: 2 }, `This ${found} has no opening tag.`);
    if (faults.isFull) return;
  }
}

/** Whether the braces output exactly one address of the platform. */
export function isLink(text: string, { kind, insideFrom, insideTo }: Markup): boolean {
  const name = text.slice(insideFrom, insideTo);
  return kind === 'output' && kindOf(name) === 'link';
}
