import type { Evaluated } from './given.ts';

export const templateMax = 2000;
const placesMax = 20;
const renderedMax = 4000;
const absent = '—';

/** A template that cannot be filled in, so a retry is of no use. The message is for its developer. */
export class TemplateFault extends Error {}

/** A text with expressions in double braces: `It is {{ state.temperature }} °C.` */
export interface Template {
  /** The texts around the expressions; one more than there are expressions. */
  texts: string[];
  places: { source: string; from: number; to: number }[];
}

/** Returns a fault if a brace is not closed, or there are too many expressions. */
export function readTemplate(text: string): Template | { fault: string; from: number; to: number } {
  const template: Template = { texts: [], places: [] };
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open === -1) break;
    const close = closeOf(text, open + 2);
    if (close === -1) return { fault: 'The closing `}}` is missing.', from: open, to: text.length };
    template.texts.push(text.slice(at, open));
    template.places.push({ source: text.slice(open + 2, close), from: open + 2, to: close });
    if (template.places.length > placesMax)
      return { fault: `A text can have at most ${placesMax} expressions.`, from: open, to: close + 2 };
    at = close + 2;
  }
  template.texts.push(text.slice(at));
  return template;
}

/** Finds the closing braces; braces inside a string literal do not count. */
function closeOf(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (text.startsWith('}}', at)) return at;
  }
  return -1;
}

/** The text with the values of its expressions; a missing value is shown as a dash. */
export function renderTemplate({ texts }: Template, values: readonly Evaluated[]): string {
  const parts = texts.flatMap((text, at) => {
    const value = values[at];
    return value === undefined ? [text] : [text, wordOf(value)];
  });
  const whole = parts.join('');
  return whole.length <= renderedMax ? whole : `${whole.slice(0, renderedMax - 1)}…`;
}

function wordOf(evaluated: Evaluated): string {
  if ('error' in evaluated) throw new TemplateFault(evaluated.error);
  if ('missing' in evaluated || evaluated.value === null) return absent;
  return inWords(evaluated.value);
}

export function inWords(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 1e6) / 1e6);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
