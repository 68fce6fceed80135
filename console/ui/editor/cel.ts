import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { StreamLanguage, type StringStream } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import type { Language } from './language.ts';
import type { CodeWord } from './marks.ts';

/** The expressions of rules. The server finds their faults, as it knows the types. */
export const cel: Language = { extension: setUp, isOneExpression: true };

function setUp(words: () => readonly CodeWord[]): Extension {
  return [
    StreamLanguage.define({ name: 'cel', token }),
    autocompletion({
      override: [context => complete(context, words())],
      icons: false,
      maxRenderedOptions: 60,
    }),
    keymap.of([{ key: 'Tab', run: acceptCompletion }]),
  ];
}

const constants = new Set(['true', 'false', 'null', 'in']);

/** One token of a line; strings in single, double or triple quotes end with the line. */
function token(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match('//')) {
    stream.skipToEnd();
    return 'comment';
  }
  if (stream.match(/^[rRbB]?("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/)) return 'string';
  if (stream.match(/^(0x[\da-f]+u?|\d+(\.\d+)?(e[+-]?\d+)?u?)/i)) return 'number';
  const [name] = (stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null) ?? [];
  if (name !== undefined) {
    if (constants.has(name)) return 'keyword';
    return stream.match(/^\s*\(/, false) ? 'variableName' : 'propertyName';
  }
  stream.next();
  return null;
}

const typedPath = /[\w.]*$/;

function complete(context: CompletionContext, words: readonly CodeWord[]): CompletionResult | null {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 300), context.pos);
  if (isInString(before)) return null;
  const typed = typedPath.exec(before)?.[0] ?? '';
  if (typed === '' && !context.explicit) return null;
  if (/^\d/.test(typed)) return null;
  return {
    from: context.pos - typed.length,
    options: words.map(({ word, kind, description }) => ({
      label: word,
      detail: description,
      ...(kind === 'function' && { apply: `${word.replace(/\(.*$/, '')}(` }),
      // Names from the devices come before those that every rule has.
      boost: kind === 'variable' ? 10 : 0,
    })),
    validFor: /^[\w.]*$/,
  };
}

/** Whether an odd number of quotes precedes on the line. */
function isInString(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1).replaceAll(/\\./g, '');
  return ['"', "'"].some(quote => (line.split(quote).length - 1) % 2 === 1);
}
