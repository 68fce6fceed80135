import { syntaxHighlighting } from '@codemirror/language';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { use, useEffect, useRef } from 'react';
import type { CodeDiffProps } from '../CodeDiff.tsx';
import { loadLanguage } from './languages.ts';
import { codeColours, codeTheme } from './theme.ts';

export function DiffView({ label, language: name, before, after }: CodeDiffProps) {
  const language = use(loadLanguage(name));
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    // For the styles' sake, as in the editor.
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: after,
        extensions: [
          language.extension(() => []),
          syntaxHighlighting(codeColours),
          codeTheme,
          EditorView.lineWrapping,
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true' }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            gutter: true,
            collapseUnchanged: { margin: 2, minSize: 5 },
          }),
        ],
      }),
    });
    return () => view.destroy();
  }, [label, language, before, after]);
  return <div ref={host} />;
}
