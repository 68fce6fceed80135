import { lazy, type Ref, Suspense } from 'react';
import { type CodeLanguage, celLanguage } from '#console/ui/code/codeLanguages.ts';
import type { CodeMark, CodeWord } from '#console/ui/editor/marks.ts';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import css from './CodeField.module.css';

export type { CodeMark, CodeWord } from '#console/ui/editor/marks.ts';

/** What a screen can have the editor do. */
export interface CodeFieldHandle {
  /** At the cursor, which the editor then has. */
  insert: (text: string) => void;
  /** Selects what a mark is about. */
  goTo: (mark: CodeMark) => void;
  /** JSON only: lays it out anew. */
  format: () => void;
}

export interface CodeFieldProps {
  label: string;
  language: CodeLanguage;
  value: string;
  onChange?: (value: string) => void;
  /** Faults at their places; JSON finds its own as well. */
  marks?: readonly CodeMark[];
  /** What stands in it was refused as a whole. */
  invalid?: boolean;
  /** Offered while typing inside braces. */
  words?: readonly CodeWord[];
  readOnly?: boolean;
  /** Line breaks become blanks. */
  singleLine?: boolean;
  /** In lines; it scrolls beyond the second. */
  lines?: readonly [min: number, max: number];
  /** Takes the focus as soon as it is there. */
  autoFocus?: boolean;
  /** Ctrl S or ⌘ S. */
  onSave?: () => void;
  onFocus?: () => void;
  ref?: Ref<CodeFieldHandle>;
}

// The editor is larger than everything around it, so it comes only where one is needed.
const CodeEditor = lazy(() =>
  import('#console/ui/editor/CodeEditor.tsx').then(it => ({ default: it.CodeEditor })),
);

/** An editor for code: highlighting, faults at their places; Tab indents, except in an expression, and leaves after Esc. */
export function CodeField({ lines: given = [4, 30], ...props }: CodeFieldProps) {
  const lines = props.singleLine ? [1, 1] : given;
  const height = {
    '--code-min': String(lines[0]),
    '--code-max': String(lines[1]),
    '--code-lines': String(props.value.split('\n').length),
  };
  return (
    <div
      className={css.field}
      style={height as React.CSSProperties}
      data-single={props.singleLine || undefined}
      data-indents={!(props.singleLine || props.readOnly || props.language === celLanguage) || undefined}
      data-editor
      data-invalid={props.invalid || (props.marks?.length ?? 0) > 0 || undefined}
    >
      <Suspense fallback={<Waiting single={props.singleLine ?? false} />}>
        <CodeEditor {...props} />
      </Suspense>
    </div>
  );
}

function Waiting({ single }: { single: boolean }) {
  return (
    <div className={css.waiting}>
      <Skeleton lines={single ? 1 : 6} />
    </div>
  );
}
