import type { Faults } from './check/templateFaults.ts';

/** A part of a template between braces. */
export interface Markup {
  /** `{{ … }}` or `{% … %}` */
  kind: 'output' | 'tag';
  /** The position including the braces. */
  from: number;
  to: number;
  /** The position of the content, without the surrounding blanks and the `-` that trims them. */
  insideFrom: number;
  insideTo: number;
}

/** Each pair of braces costs work for every e-mail; our longest template has a dozen. */
const markupMax = 100;
const insideMax = 300;
const limit = `A template can have at most ${markupMax} pairs of braces.`;

/** Finds the parts between braces. Braces that are not closed before the next ones are an error and read as text. */
export function findMarkup(text: string, faults: Faults): Markup[] {
  const found: Markup[] = [];
  const opening = /\{\{|\{%/g;
  const next = /\}\}|%\}|\{\{|\{%/g;
  for (let open = opening.exec(text); open && !faults.isFull; open = opening.exec(text)) {
    const kind = open[0] === '{{' ? 'output' : 'tag';
    const closing = kind === 'output' ? '}}' : '%}';
    next.lastIndex = opening.lastIndex;
    const close = next.exec(text);
    const to = close ? close.index + 2 : text.length;
    if (close?.[0] !== closing || to - open.index > insideMax) {
      faults.add(
        'UNCLOSED_BRACES',
        { at: open.index, length: 2 },
        `This ${open[0]} is not closed with ${closing}.`,
      );
      continue;
    }
    if (found.length === markupMax) {
      faults.add('TOO_MANY_BRACES', { at: open.index, length: to - open.index }, limit);
      return found;
    }
    found.push({ kind, from: open.index, to, ...insideOf(text, open.index + 2, to - 2) });
    opening.lastIndex = to;
  }
  return found;
}

function insideOf(text: string, from: number, to: number): { insideFrom: number; insideTo: number } {
  let insideFrom = text[from] === '-' ? from + 1 : from;
  let insideTo = to > insideFrom && text[to - 1] === '-' ? to - 1 : to;
  while (insideFrom < insideTo && isBlank(text[insideFrom])) insideFrom += 1;
  while (insideTo > insideFrom && isBlank(text[insideTo - 1])) insideTo -= 1;
  return { insideFrom, insideTo };
}

function isBlank(sign: string | undefined): boolean {
  return sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r';
}

/** Replaces parts between braces where only the text around them matters. Not allowed in templates themselves. */
const filler = '\ufffc';

/** The text with all parts between braces replaced by fillers of the same length, so that positions stay valid. */
export function withoutMarkup(text: string, markup: readonly Markup[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of markup) {
    parts.push(text.slice(done, from), filler.repeat(to - from));
    done = to;
  }
  return parts.join('') + text.slice(done);
}
