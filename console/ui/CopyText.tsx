import { useEffect, useState } from 'react';
import { CheckIcon, CopyIcon } from '#console/ui/icons/icons.tsx';
import { Breakable } from './Breakable.tsx';
import css from './CopyText.module.css';

interface CopyTextProps {
  /** What goes to the clipboard; a function where it is to be asked for first. */
  text: string | (() => Promise<string | undefined>);
  /** What is on screen, when it is not the text itself: a mask, a shortened id. Null: only the icon. */
  shown?: string | null;
  /** What is on screen is the word for what the press does, not what is copied. */
  isWord?: boolean;
  /** Shown whole, on as many lines as it takes: for what is compared letter by letter. */
  wrap?: boolean;
  /** What is copied, for those who do not see what stands beside it. */
  label?: string;
  /** In a dialog that is there for it: the focus begins here. */
  firstFocus?: boolean;
}

const saidMs = 1600;

/** One click copies and says so. */
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

/** Tells of each text that a button of the console copied; answers how to stop. */
export function onCopied(listener: (text: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Also of what is yet to be asked for: undefined where it could not be had, which whoever asked says. */
export async function copy(text: string | Promise<string | undefined>): Promise<boolean> {
  const given = await text;
  if (given === undefined || !(await write(given))) return false;
  for (const listener of listeners) listener(given);
  return true;
}

/** The clipboard API is there only on https and localhost; a selected field works everywhere. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = document.activeElement;
    const field = document.createElement('textarea');
    field.value = text;
    // Inside an open dialog: everything else is inert and cannot be selected.
    (before?.closest('dialog') ?? document.body).append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return copied;
  }
}
