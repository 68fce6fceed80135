import { useRef } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { jsonLanguage } from '#console/ui/code/codeLanguages.ts';
import { CodeField, type CodeFieldHandle, type CodeMark } from './CodeField.tsx';
import css from './Field.module.css';
import { sentenceOf } from './fieldSentence.ts';

interface JsonFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: React.ReactNode;
  /** A reason code. */
  error?: string | undefined;
  /** The fault in the server's own words, if there is no code for it. */
  fault?: string | undefined;
  /** The server's faults with their positions. */
  marks?: readonly CodeMark[];
  lines?: readonly [min: number, max: number];
  autoFocus?: boolean;
  onSave?: () => void;
}

/** JSON in a form: the editor with its label, a button that formats the text, and its faults. */
export function JsonField({ label, hint, error, fault, marks, ...rest }: JsonFieldProps) {
  const editor = useRef<CodeFieldHandle>(null);
  const { value, onChange, lines, onSave, autoFocus = false } = rest;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced at every keystroke
    <div className={css.field} role="group" aria-label={label}>
      <div className={css.head}>
        <span>{label}</span>
        <Button variant="quiet" onClick={() => editor.current?.format()}>
          Format
        </Button>
      </div>
      <CodeField
        ref={editor}
        label={label}
        language={jsonLanguage}
        value={value}
        onChange={onChange}
        autoFocus={autoFocus}
        invalid={Boolean(error || fault)}
        {...(marks && { marks })}
        {...(lines && { lines })}
        {...(onSave && { onSave })}
      />
      <div role="alert">
        {error && (
          <p className={css.error}>
            {sentenceOf(error)} <code>{error}</code>
          </p>
        )}
        {fault && !error && <p className={css.error}>{fault}</p>}
        {marks && marks.length > 0 && (
          <ul className={css.error}>
            {marks.map(mark => (
              <li key={`${mark.line} ${mark.column} ${mark.message}`}>
                <button type="button" className={css.mark} onClick={() => editor.current?.goTo(mark)}>
                  Line {mark.line}: {mark.message}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {hint && !error && !fault && <p className={css.hint}>{hint}</p>}
    </div>
  );
}
