import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { codeColours, codeTheme } from './theme.ts';

/** What every editor has. If Tab indents, Esc followed by Tab leaves the editor; this is built into CodeMirror. */
export function baseSetup({ singleLine, indents }: { singleLine: boolean; indents: boolean }): Extension {
  return [
    history(),
    highlightSpecialChars(),
    bracketMatching(),
    closeBrackets(),
    syntaxHighlighting(codeColours),
    codeTheme,
    singleLine ? lineSetup : textSetup,
    indents ? keymap.of([indentWithTab]) : [],
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
  ];
}

const textSetup: Extension = [
  lineNumbers(),
  foldGutter(),
  indentOnInput(),
  EditorView.lineWrapping,
  keymap.of(foldKeymap),
];

/** A single line scrolls sideways, and Tab moves to the next field as usual. */
const lineSetup: Extension = [
  // A scrollbar would cover half of the only line.
  EditorView.theme({ '.cm-scroller': { scrollbarWidth: 'none' } }),
  keymap.of([{ key: 'Enter', run: () => true }]),
  EditorView.clipboardInputFilter.of(text => text.replace(/\s*[\r\n]+\s*/g, ' ')),
  EditorState.transactionFilter.of(transaction => (transaction.newDoc.lines > 1 ? [] : transaction)),
];
