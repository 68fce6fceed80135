import type { Diagnostic } from '@codemirror/lint';
import type { EditorState, Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { CodeWord } from './marks.ts';

/** What makes up the support for a language. */
export interface Language {
  extension: (words: () => readonly CodeWord[]) => Extension;
  /** Called once, with the initial text. */
  begin?: (view: EditorView) => void;
  /** True: Tab moves to the next field instead of indenting. */
  isOneExpression?: true;
  /** The faults that can be found without asking the server. */
  faults?: (state: EditorState) => Diagnostic[];
}
