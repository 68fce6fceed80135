import { json as jsonLanguage } from '@codemirror/lang-json';
import { syntaxTree } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import { type JsonFault, parseStrictJson } from '#rules/json/strictJson.ts';
import type { Language } from './language.ts';

export const json: Language = { extension: () => jsonLanguage(), faults };

const sentences: Record<JsonFault, string> = {
  SYNTAX: 'This is not valid JSON.',
  TOO_DEEP: 'This is nested too deeply.',
  DUPLICATE_KEY: 'This key appears twice in its object.',
  NUMBER_RANGE: 'This number would lose precision. Write it as a string.',
  TEXT: 'This string contains a character that cannot be stored.',
};

/** The faults of the text as JSON, in place. An empty text is judged by the form. */
function faults(state: EditorState): Diagnostic[] {
  const text = state.doc.toString();
  if (text.trim() === '') return [];
  const parsed = parseStrictJson(text);
  if (parsed.ok) return [];
  const place = parsed.fault === 'SYNTAX' ? (syntaxError(state) ?? parsed.at) : parsed.at;
  const at = Math.min(place ?? text.length, text.length);
  const to = Math.min(text.length, at + 1);
  return [{ from: Math.min(at, to - 1), to, severity: 'error', message: sentences[parsed.fault] }];
}

/** The first place that the grammar rejects: browsers describe the position of an error in words, each differently. */
function syntaxError(state: EditorState): number | undefined {
  let at: number | undefined;
  syntaxTree(state).iterate({
    enter: node => {
      if (node.type.isError) at ??= node.from;
      return at === undefined;
    },
  });
  return at;
}
