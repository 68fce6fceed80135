import type { Diagnostic } from '@codemirror/lint';
import type { EditorState, Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { CodeLanguage, CodeWord } from './marks.ts';

/** What makes an editor one for this language. */
export interface Language {
  extension: (words: () => readonly CodeWord[]) => Extension;
  /** Done once, with the text it starts with. */
  begin?: (view: EditorView) => void;
  /** What can be said against a text without asking the server. */
  faults?: (state: EditorState) => Diagnostic[];
}

const loaders: Record<CodeLanguage, () => Promise<Language>> = {
  json: async () => (await import('./json.ts')).json,
  // It brings the grammars of HTML and CSS along, half of all that an editor weighs.
  'html-liquid': async () => (await import('./htmlLiquid.ts')).htmlLiquid,
};

const loaded = new Map<CodeLanguage, Promise<Language>>();

/** Loads each once; the same promise every time, as React's `use` wants it. */
export function loadLanguage(name: CodeLanguage): Promise<Language> {
  const found = loaded.get(name) ?? loaders[name]();
  loaded.set(name, found);
  return found;
}
