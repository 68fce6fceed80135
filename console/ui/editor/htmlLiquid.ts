import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { html, htmlCompletionSource } from '@codemirror/lang-html';
import { closePercentBrace, liquid } from '@codemirror/lang-liquid';
import { ensureSyntaxTree, foldable, foldEffect } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Language } from './language.ts';
import type { CodeWord } from './marks.ts';

/**
 * HTML containing `{{ … }}` and `{% … %}`. Inside the braces the given words are suggested, elsewhere those of HTML.
 */
/** The server finds its faults, as only the server knows which variables an e-mail has. */
export const htmlLiquid: Language = { extension: setUp, begin: foldHead };

function setUp(words: () => readonly CodeWord[]): Extension {
  const offered = (context: CompletionContext) => inBraces(context, words());
  return [
    liquid({ base: html({ autoCloseTags: true, matchClosingTags: true }) }),
    closePercentBrace,
    autocompletion({ override: [offered, outsideBraces], icons: false }),
  ];
}

/** Hardly anyone edits the head of an e-mail, so it starts folded. */
function foldHead(view: EditorView): void {
  const head = /^.*<head>/im.exec(view.state.doc.toString());
  if (!head || !ensureSyntaxTree(view.state, view.state.doc.length, parseMaxMs)) return;
  const { from, to } = view.state.doc.lineAt(head.index);
  const range = foldable(view.state, from, to);
  if (range) view.dispatch({ effects: foldEffect.of(range) });
}

const parseMaxMs = 100;
const braces = /\{([{%])-?[^{}%]*$/;

function inBraces(context: CompletionContext, words: readonly CodeWord[]): CompletionResult | null {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 300), context.pos);
  const opened = braces.exec(before);
  if (!opened) return null;
  const typed = /[\w.]*$/.exec(before)?.[0] ?? '';
  const rest = opened[0]
    .slice(2, opened[0].length - typed.length)
    .replace(/^-/, '')
    .trim();
  const kinds = kindsAt(opened[1] === '%', rest);
  if (typed === '' && !context.explicit && !/[\s|]$/.test(before)) return null;
  return {
    from: context.pos - typed.length,
    options: words
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ word, description }) => ({ label: word, detail: description })),
    validFor: /^[\w.]*$/,
  };
}

/** The kinds of words that can follow the text typed inside the braces so far. */
function kindsAt(isTag: boolean, rest: string): CodeWord['kind'][] {
  if (rest.endsWith('|')) return ['filter'];
  if (isTag && rest === '') return ['tag'];
  return rest === '' || isTag || /[:,]$/.test(rest) ? ['variable'] : [];
}

function outsideBraces(context: CompletionContext): CompletionResult | null {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 300), context.pos);
  return braces.test(before) ? null : htmlCompletionSource(context);
}
