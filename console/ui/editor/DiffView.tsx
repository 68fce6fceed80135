import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { CodeDiffProps } from '#console/ui/code/CodeDiff.tsx';
import { codeTheme } from './theme.ts';

/** Without the colours of the code: here colour says what went and what came. */
export function DiffView({ label, before, after }: CodeDiffProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    // For the styles' sake, as in the editor.
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const extensions = [
      codeTheme,
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
      unifiedMergeView({
        original: before,
        mergeControls: false,
        syntaxHighlightDeletions: false,
        collapseUnchanged: { margin: 2, minSize: 5 },
      }),
    ];
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: after, extensions }),
    });
    return () => view.destroy();
  }, [label, before, after]);
  return <div ref={host} />;
}
