import { getChunks, getOriginalDoc, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import type { TextChange } from '#console/ui/code/TextChanges.tsx';
import { numberText } from '#rules/text/numberText.ts';
import { diffConfig, type LineChange, lineChanges } from './lineChanges.ts';
import css from './TextChanges.module.css';
import { codeTheme } from './theme.ts';

/** Without syntax colours: here colour means removed or added, and a sign says the same. */
export function DiffView({ label, before, after }: TextChange) {
  const host = useRef<HTMLDivElement>(null);
  const [isWhole, setIsWhole] = useState(false);
  const changes = useMemo(() => lineChanges(before, after), [before, after]);
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    // Because of the styles, as in the editor.
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const extensions = [
      signs,
      codeTheme,
      wholeLines,
      ...(before === '' ? [nothingBefore] : []),
      ...(after === '' ? [nothingAfter] : []),
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
      unifiedMergeView({
        original: before,
        mergeControls: false,
        syntaxHighlightDeletions: false,
        diffConfig,
        ...(!isWhole && { collapseUnchanged: { margin: 3, minSize: 5 } }),
      }),
    ];
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: after, extensions }),
    });
    return () => view.destroy();
  }, [label, before, after, isWhole]);
  return (
    <>
      <div className={css.head}>
        <span>{countText(changes)}</span>
        <Button variant="quiet" aria-pressed={isWhole} onClick={() => setIsWhole(whole => !whole)}>
          All lines
        </Button>
      </div>
      <div ref={host} />
      <ChangesInWords label={label} changes={changes} />
    </>
  );
}

/** For screen readers, as the editor reads out only the new text. */
function ChangesInWords({ label, changes }: { label: string; changes: readonly LineChange[] }) {
  return (
    <ol className="visuallyHidden" aria-label={`${label}, line by line`}>
      {changes.slice(0, readOutMax).map(({ kind, number, text }) => (
        <li key={`${kind} ${number}`}>
          Line {number} {kind}: <code>{text.trim() || 'empty'}</code>
        </li>
      ))}
      {changes.length > readOutMax && <li>{changes.length - readOutMax} more lines</li>}
    </ol>
  );
}

const readOutMax = 500;

/** "2 lines added, 1 removed" */
function countText(changes: readonly LineChange[]): string {
  const added = changes.filter(({ kind }) => kind === 'added').length;
  const removed = changes.length - added;
  const lines = (count: number) => (count === 1 ? '1 line' : `${numberText(count)} lines`);
  if (removed === 0) return `${lines(added)} added`;
  if (added === 0) return `${lines(removed)} removed`;
  return `${lines(added)} added, ${numberText(removed)} removed`;
}

/** Lines that were added as a whole have no marks within the line. */
const wholeLines = EditorView.decorations.compute([], state => {
  const chunks = getChunks(state)?.chunks ?? [];
  const lines = chunks
    .filter(({ fromA, toA }) => fromA === toA || getOriginalDoc(state).length === 0)
    .flatMap(({ fromB, endB }) => {
      const [first, last] = [state.doc.lineAt(fromB).number, state.doc.lineAt(endB).number];
      return Array.from({ length: last - first + 1 }, (_, at) => state.doc.line(first + at).from);
    });
  return Decoration.set(lines.map(from => wholeLine.range(from)));
});

const wholeLine = Decoration.line({ class: 'cm-wholeLine' });

const sign = { position: 'absolute', insetInlineStart: '10px', fontWeight: '600' };

/** For readers who cannot tell the two colours apart. */
const signs = EditorView.theme({
  '.cm-line, .cm-deletedLine': { position: 'relative', padding: '0 10px 0 26px' },
  '.cm-deletedChunk': { padding: '0' },
  '.cm-changedLine::before': { ...sign, content: '"+"', color: 'var(--ok)' },
  '.cm-deletedLine::before': { ...sign, content: '"−"', color: 'var(--danger)' },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, var(--ok) 24%, transparent)' },
  '&.cm-merge-b .cm-changedLine.cm-wholeLine .cm-changedText': { background: 'none' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ok)' },
  '&.cm-merge-b .cm-deletedLineGutter': { background: 'var(--danger)' },
  '.cm-collapsedLines': { paddingInlineStart: '26px' },
});

// An empty text has no lines, not one empty line.
const nothingBefore = EditorView.theme({ '.cm-deletedChunk': { display: 'none' } });
const nothingAfter = EditorView.theme({ '.cm-line': { display: 'none' } });
