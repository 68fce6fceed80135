import { useRef } from 'react';
import css from './Changing.module.css';

/** A text that is highlighted for a moment when it changes, but not when it first appears. */
export function Changing({ children: text }: { children: string }) {
  const first = useRef(text);
  const hasChanged = useRef(false);
  if (text !== first.current && first.current !== '') hasChanged.current = true;
  if (first.current === '') first.current = text;
  return (
    // A new element for each text, so that the animation restarts.
    <span key={text} className={hasChanged.current ? css.changed : undefined}>
      {text}
    </span>
  );
}
