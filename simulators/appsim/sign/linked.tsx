import { Fragment, type ReactNode } from 'react';
import css from '../phone/phone.module.css';

/** Turns URLs in plain text into links. */
export function linked(text: string): ReactNode {
  return text.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/).map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position
      <a key={at} href={part} target="_blank" rel="noopener noreferrer" className={css.link}>
        {part}
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position
      <Fragment key={at}>{part}</Fragment>
    ),
  );
}
