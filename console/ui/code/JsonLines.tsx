import { useEffect, useMemo, useRef, useState } from 'react';
import { moveAmong } from '#console/ui/focus/moveAmong.ts';
import { ChevronDownIcon, ChevronRightIcon } from '#console/ui/icons/icons.tsx';
import css from './JsonLines.module.css';
import { type JsonFold, type LineRange, type ShownLine, shownAt } from './jsonFolds.ts';
import { jsonTokens } from './jsonTokens.ts';
import { useFolds } from './useFolds.ts';

interface JsonLinesProps {
  label: string;
  text: string;
  marked: LineRange | undefined;
  /** Called when a line is pressed or hovered; undefined: no longer. */
  onLine: (line: number | undefined) => void;
  /** The parts that can be folded into one line, outer ones first. */
  folds?: readonly JsonFold[];
  /** The first line of the chosen part, which stays unfolded. */
  chosenLine?: number | undefined;
}

const noFolds: readonly JsonFold[] = [];

/** Read-only JSON with numbered lines in the editor's colours; lines can be marked and folded. */
export function JsonLines({ label, text, marked, onLine, folds = noFolds, chosenLine }: JsonLinesProps) {
  const lines = useMemo(() => text.split('\n'), [text]);
  const { shown, toggle } = useFolds(lines, folds, chosenLine);
  const box = useRef<HTMLElement>(null);
  // One of the buttons is a Tab stop; the arrow keys reach the others.
  const [stop, setStop] = useState<string>();
  const ids = shown.flatMap(({ fold }) => fold?.id ?? []);
  const tabStop = stop !== undefined && ids.includes(stop) ? stop : ids[0];
  const [from = 0, to = 0] = marked ?? [];
  const [target, end] = from > 0 ? [shownAt(shown, from), shownAt(shown, to)] : [0, 0];
  useEffect(() => {
    // A hovered line is in view already; scrolling would only get in the way.
    if (target === 0 || !box.current || box.current.matches(':hover')) return;
    const [line, last] = [target, end].map(at =>
      box.current?.querySelector<HTMLElement>(`[data-line="${at}"]`),
    );
    if (line && last) scrollInto(box.current, line, last);
  }, [target, end]);
  return (
    <section
      ref={box}
      className={css.lines}
      aria-label={`${label}, code`}
      data-digits={String(lines.length).length}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus
      tabIndex={0}
      onPointerLeave={() => onLine(undefined)}
      onKeyDown={event => moveAmong(event, 'button[aria-expanded]')}
    >
      <ol>
        {shown.map(line => (
          <Line
            key={line.number}
            line={line}
            isMarked={line.number === target || (line.number >= from && line.number <= to)}
            isTabStop={line.fold?.id === tabStop}
            onPoint={() => onLine(line.number)}
            onFocus={setStop}
            onToggle={toggle}
          />
        ))}
      </ol>
    </section>
  );
}

interface LineProps {
  line: ShownLine;
  isMarked: boolean;
  isTabStop: boolean;
  onPoint: () => void;
  onFocus: (id: string) => void;
  onToggle: (fold: NonNullable<ShownLine['fold']>) => void;
}

function Line({ line: { number, text, fold, end }, isMarked, isTabStop, ...on }: LineProps) {
  return (
    <li data-line={number} data-marked={isMarked || undefined} onPointerEnter={on.onPoint}>
      {fold && (
        <button
          type="button"
          className={css.fold}
          aria-expanded={fold.isOpen}
          aria-label={`${fold.name}, ${fold.members === 1 ? '1 member' : `${fold.members} members`}`}
          tabIndex={isTabStop ? 0 : -1}
          onFocus={() => on.onFocus(fold.id)}
          onClick={() => on.onToggle(fold)}
        >
          {fold.isOpen ? <ChevronDownIcon size={12} /> : <ChevronRightIcon size={12} />}
        </button>
      )}
      <code>
        <Tokens text={text} />
        {fold && end !== undefined && (
          <>
            {' '}
            {/* The same toggle at the end of the line, for pointers; the button before the line is the accessible
                one. */}
            <button
              type="button"
              className={css.count}
              aria-hidden="true"
              tabIndex={-1}
              onClick={() => on.onToggle(fold)}
            >
              {fold.members}
            </button>{' '}
            <Tokens text={end} />
          </>
        )}
      </code>
    </li>
  );
}

function Tokens({ text }: { text: string }) {
  return jsonTokens(text).map(({ kind, text: piece }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by position
    <span key={at} className={css[kind]}>
      {piece}
    </span>
  ));
}

/** Scrolls as much of the lines as fits into view, within their box only: the page does not move. */
function scrollInto(box: HTMLElement, line: HTMLElement, last: HTMLElement): void {
  const top = line.offsetTop - box.offsetTop;
  const bottom = last.offsetTop + last.offsetHeight - box.offsetTop;
  if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = Math.max(0, top - 40);
}
