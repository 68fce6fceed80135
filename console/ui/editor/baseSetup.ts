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

/** What every editor has. Where Tab indents, Esc and then Tab leaves, as CodeMirror has it built in. */
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

/** A line scrolls sideways, and Tab goes on to the next field as in any other. */
const lineSetup: Extension = [
  // A bar would lie over half of the only line there is.
  EditorView.theme({ '.cm-scroller': { scrollbarWidth: 'none' } }),
  keymap.of([{ key: 'Enter', run: () => true }]),
  EditorView.clipboardInputFilter.of(text => text.replace(/\s*[\r\n]+\s*/g, ' ')),
  EditorState.transactionFilter.of(transaction => (transaction.newDoc.lines > 1 ? [] : transaction)),
];
