import { type ClipboardEvent, type KeyboardEvent, useId, useRef } from 'react';
import type { CallFailed } from '#contract/client.ts';
import css from './codeBoxes.module.css';

export const codeLength = 10;

/** The characters of a text that a claim code can contain. */
export function codeIn(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, codeLength);
}

interface CodeBoxesProps {
  code: string;
  onChange: (code: string) => void;
  failure: CallFailed | undefined;
}

/** A box for each character, as printed on the label. Pasted text fills the following boxes. */
export function CodeBoxes({ code, onChange, failure }: CodeBoxesProps) {
  const id = useId();
  const { boxes, put, onKeyDown, onPaste } = useBoxes(code, onChange);
  return (
    <fieldset className={css.field}>
      <legend>Claim code</legend>
      <div className={css.boxes}>
        {Array.from({ length: codeLength }, (_, at) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: the boxes are identified by position
            key={at}
            ref={box => {
              boxes.current[at] = box;
            }}
            aria-label={`Character ${at + 1} of ${codeLength}`}
            aria-describedby={`${id}said`}
            aria-invalid={failure ? true : undefined}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={code[at] ?? ''}
            onChange={({ target }) => put(at, target.value.replace(code[at] ?? '', '') || target.value)}
            onKeyDown={event => onKeyDown(event, at)}
            onPaste={event => onPaste(event, at)}
            onFocus={({ target }) => target.select()}
          />
        ))}
      </div>
      <p id={`${id}said`} className={failure ? css.fault : css.hint} role={failure ? 'alert' : undefined}>
        {failure ? (
          <>
            {failure.message} <code>{failure.reason}</code>
          </>
        ) : (
          'Ten letters and digits, on the label or shown by the device simulator.'
        )}
      </p>
    </fieldset>
  );
}

/** Distributes typed characters over the boxes, and moves the focus. */
function useBoxes(code: string, onChange: (code: string) => void) {
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const goTo = (at: number) => boxes.current[Math.max(0, Math.min(at, codeLength - 1))]?.focus();

  /** Characters go into the first free box, or at the latest into this one, because a code has no gaps. */
  function put(at: number, text: string) {
    const from = Math.min(at, code.length);
    const given = codeIn(text);
    if (given === '') return;
    const next = codeIn(code.slice(0, from) + given + code.slice(from + given.length));
    onChange(next);
    goTo(from + given.length);
  }
  function onKeyDown(event: KeyboardEvent, at: number) {
    if (event.key === 'Backspace') {
      event.preventDefault();
      const gone = at < code.length ? at : at - 1;
      onChange(code.slice(0, Math.max(0, gone)) + code.slice(gone + 1));
      goTo(gone);
    } else if (event.key === 'ArrowLeft') goTo(at - 1);
    else if (event.key === 'ArrowRight') goTo(at + 1);
  }
  function onPaste(event: ClipboardEvent, at: number) {
    event.preventDefault();
    const text = event.clipboardData.getData('text');
    put(codeIn(text).length === codeLength ? 0 : at, text);
  }
  return { boxes, put, onKeyDown, onPaste };
}
