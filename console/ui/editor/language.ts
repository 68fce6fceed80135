import type { Diagnostic } from '@codemirror/lint';
import type { EditorState, Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { CodeWord } from './marks.ts';

/** What makes an editor one for this language. */
export interface Language {
  extension: (words: () => readonly CodeWord[]) => Extension;
  /** Done once, with the text it starts with. */
  begin?: (view: EditorView) => void;
  /** True: Tab goes on to the next field instead of indenting. */
  isOneExpression?: true;
  /** What can be said against a text without asking the server. */
  faults?: (state: EditorState) => Diagnostic[];
}
