import { useEffect, useMemo, useRef } from 'react';
import css from './JsonLines.module.css';
import { jsonTokens } from './jsonTokens.ts';

/** From and to, both within, counted from 1. */
export type LineRange = readonly [from: number, to: number];

interface JsonLinesProps {
  label: string;
  text: string;
  marked: LineRange | undefined;
  /** A line was pressed or pointed at; undefined: it no longer is. */
  onLine: (line: number | undefined) => void;
}

/** JSON to read, with numbered lines in the editor's colours, of which some are marked. */
export function JsonLines({ label, text, marked, onLine }: JsonLinesProps) {
  const lines = useMemo(() => text.split('\n').map(jsonTokens), [text]);
  const box = useRef<HTMLElement>(null);
  const [from = 0, to = 0] = marked ?? [];
  useEffect(() => {
    const line = from > 0 ? box.current?.querySelectorAll('li')[from - 1] : undefined;
    if (line && box.current) scrollInto(box.current, line);
  }, [from]);
  return (
    <section
      ref={box}
      className={css.lines}
      aria-label={`${label}, code`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus
      tabIndex={0}
      onPointerLeave={() => onLine(undefined)}
    >
      <ol>
        {lines.map((tokens, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
            key={index}
            data-marked={(index + 1 >= from && index < to) || undefined}
            onPointerEnter={() => onLine(index + 1)}
          >
            <code>
              {tokens.map(({ kind, text: piece }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
                <span key={at} className={css[kind]}>
                  {piece}
                </span>
              ))}
            </code>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Only within its box: the page stays where it is. */
function scrollInto(box: HTMLElement, line: HTMLElement): void {
  const top = line.offsetTop - box.offsetTop;
  if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 60)
    box.scrollTop = Math.max(0, top - 40);
}
