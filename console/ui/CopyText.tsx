import { useEffect, useState } from 'react';
import { CheckIcon, CopyIcon } from '#console/ui/icons/icons.tsx';
import { Breakable } from './Breakable.tsx';
import css from './CopyText.module.css';

interface CopyTextProps {
  /** The text for the clipboard; a function if it has to be requested first. */
  text: string | (() => Promise<string | undefined>);
  /** What is shown instead of the text: a mask, a shortened id. Null: only the icon. */
  shown?: string | null;
  /** `shown` is the label of the action, not the copied text. */
  isWord?: boolean;
  /** Shown in full, on as many lines as needed: for texts that are compared letter by letter. */
  wrap?: boolean;
  /** What is copied, for screen readers. */
  label?: string;
  /** In a dialog whose purpose is copying: takes the initial focus. */
  firstFocus?: boolean;
}

const saidMs = 1600;

/** One click copies the text and confirms it. */
export function CopyText(props: CopyTextProps) {
  const { text, shown = known(text), isWord = false, wrap = false, label = 'Copy', firstFocus } = props;
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), saidMs);
    return () => clearTimeout(timer);
  }, [copied]);

  const icon = copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />;
  return (
    <button
      type="button"
      className={isWord ? `${css.copy} ${css.word}` : css.copy}
      data-first-focus={firstFocus || undefined}
      title={copied ? 'Copied' : label}
      aria-label={shown === null || isWord ? label : `${label}: ${shown}`}
      onClick={() => void copy(typeof text === 'string' ? text : text()).then(setCopied)}
    >
      {isWord && icon}
      {shown !== null && !(isWord && copied) && (
        <span className={wrap ? css.whole : css.text}>{wrap ? <Breakable text={shown} /> : shown}</span>
      )}
      {!isWord && icon}
      <span role="status" className={copied ? css.said : 'visuallyHidden'}>
        {copied ? 'Copied' : ''}
      </span>
    </button>
  );
}

const known = (text: CopyTextProps['text']) => (typeof text === 'string' ? text : null);

const listeners = new Set<(text: string) => void>();

/** Calls the listener for each text that a button of the console copies; returns a function that unsubscribes. */
export function onCopied(listener: (text: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Also copies a text that is still being requested; undefined if the request failed, which the requester reports. */
export async function copy(text: string | Promise<string | undefined>): Promise<boolean> {
  const given = await text;
  if (given === undefined || !(await write(given))) return false;
  for (const listener of listeners) listener(given);
  return true;
}

/** The clipboard API exists only on https and localhost; selecting a field works everywhere. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = document.activeElement;
    const field = document.createElement('textarea');
    field.value = text;
    // Inside an open dialog, because everything outside it is inert and cannot be selected.
    (before?.closest('dialog') ?? document.body).append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return copied;
  }
}
