import { lazy, type Ref } from 'react';
import { type CodeLanguage, celLanguage } from '#console/ui/code/codeLanguages.ts';
import css from '#console/ui/editor/CodeField.module.css';
import type { CodeMark, CodeWord } from '#console/ui/editor/marks.ts';
import { LazyPiece } from '#console/ui/lazy/LazyPiece.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';

export type { CodeMark, CodeWord } from '#console/ui/editor/marks.ts';

/** The methods of the editor that a screen can call. */
export interface CodeFieldHandle {
  /** Inserts text at the cursor and focuses the editor. */
  insert: (text: string) => void;
  /** Selects the range of a mark. */
  goTo: (mark: CodeMark) => void;
  /** JSON only: formats the text. */
  format: () => void;
}

export interface CodeFieldProps {
  label: string;
  language: CodeLanguage;
  value: string;
  onChange?: (value: string) => void;
  /** Faults with their positions; JSON also finds its own. */
  marks?: readonly CodeMark[];
  /** The content was refused as a whole. */
  invalid?: boolean;
  /** Words suggested while typing inside braces. */
  words?: readonly CodeWord[];
  readOnly?: boolean;
  /** Line breaks become spaces. */
  singleLine?: boolean;
  /** In lines; beyond the maximum it scrolls. */
  lines?: readonly [min: number, max: number];
  /** Takes the focus as soon as it is loaded. */
  autoFocus?: boolean;
  /** Called on Ctrl S or ⌘ S. */
  onSave?: () => void;
  onFocus?: () => void;
  ref?: Ref<CodeFieldHandle>;
}

// The editor is larger than everything around it, so it is loaded only where it is needed.
const CodeEditor = lazy(() =>
  import('#console/ui/editor/CodeEditor.tsx').then(it => ({ default: it.CodeEditor })),
);

/**
 * A code editor: highlighting, faults in place. Tab indents, except in an expression; after Esc it leaves the editor.
 */
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
      <LazyPiece waiting={<Waiting single={props.singleLine ?? false} />} instead={<PlainText {...props} />}>
        <CodeEditor {...props} />
      </LazyPiece>
    </div>
  );
}

/** Without the editor's code, the text can still be read and changed. */
function PlainText({ label, value, onChange, readOnly, invalid, onFocus }: CodeFieldProps) {
  return (
    <textarea
      className={css.plain}
      aria-label={label}
      aria-invalid={invalid || undefined}
      spellCheck={false}
      value={value}
      readOnly={readOnly || !onChange}
      onChange={({ target }) => onChange?.(target.value)}
      onFocus={onFocus}
    />
  );
}

function Waiting({ single }: { single: boolean }) {
  return (
    <div className={css.waiting}>
      <Skeleton lines={single ? 1 : 6} />
    </div>
  );
}
