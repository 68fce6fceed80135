import { Fragment } from 'react';

/** A text in which what was searched for is marked, whatever its case. */
export function Marked({ text, sought }: { text: string; sought: string | undefined }) {
  if (!sought) return text;
  const parts = text.split(new RegExp(`(${sought.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')})`, 'i'));
  // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position
  return parts.map((part, at) => <Fragment key={at}>{at % 2 === 1 ? <mark>{part}</mark> : part}</Fragment>);
}
