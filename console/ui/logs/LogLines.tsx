import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { type LogEntry, logLevels } from '#contract/log.ts';
import lines from './Lines.module.css';
import { LogDetail } from './LogDetail.tsx';
import css from './LogLines.module.css';
import { localTime } from './localTime.ts';
import { changesInShort } from './logChanges.ts';

const bySupport = 'by support, acting as this developer';

const blockSize = 50;
const lineHeight = 34;

/** Ten thousand lines stay smooth: they are drawn in blocks, and only those near the screen. */
export function LogLines({ entries }: { entries: readonly LogEntry[] }) {
  // From the old end, so that what the tail adds moves only the first block.
  const rest = entries.length % blockSize;
  const starts = [...(rest > 0 ? [0] : []), ...steps(rest, entries.length, blockSize)];
  return (
    <div className={lines.mono}>
      {entries.some(({ actor }) => actor.bySudoer) && (
        <p className={css.legend}>
          <b>*</b> {bySupport}
        </p>
      )}
      {starts.map((start, at) => {
        const block = entries.slice(start, start === 0 && rest > 0 ? rest : start + blockSize);
        return <Block key={block.at(-1)?.id} entries={block} first={at < 2} />;
      })}
    </div>
  );
}

function Block({ entries, first }: { entries: readonly LogEntry[]; first: boolean }) {
  const block = useRef<HTMLOListElement>(null);
  const near = useNearScreen(block, first);
  const height = useRef(0);
  // What it was when it was last drawn, as lines may be folded open.
  if (near) height.current = block.current?.offsetHeight || entries.length * lineHeight;
  return (
    <ol ref={block} style={near ? undefined : { height: height.current || entries.length * lineHeight }}>
      {near && entries.map(entry => <Line key={entry.id} entry={entry} />)}
    </ol>
  );
}

const Line = memo(function Line({ entry }: { entry: LogEntry }) {
  const [open, setOpen] = useState(false);
  const { ts, level, actor, action, text, detail } = entry;
  const changed = changesInShort(detail?.before, detail?.after);
  const head = (
    <>
      <time dateTime={ts} title={ts.replace('T', ' ').replace('Z', ' UTC')} className={css.time}>
        {localTime(ts)}
      </time>
      <span className={`${lines.level} ${css.level}`} data-level={logLevels[level]}>
        {logLevels[level]}
      </span>
      <span className={css.actor} title={`${actor.callerType} ${actor.id}`}>
        {actor.displayName || actor.callerType}
        {actor.bySudoer && (
          <abbr title={bySupport}>
            *<span className="visuallyHidden"> {bySupport}</span>
          </abbr>
        )}
      </span>
      <span className={css.text}>
        {text || action}
        {changed && <span className={css.changed}> {changed}</span>}
      </span>
    </>
  );
  return (
    <li>
      <details className={lines.fold} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary className={css.line}>{head}</summary>
        {/* Thousands of lines have as many, and hardly any is looked at. */}
        {open && <LogDetail entry={entry} />}
      </details>
    </li>
  );
});

function steps(from: number, to: number, by: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / by) }, (_, at) => from + at * by);
}

/** Whether the element is on screen or within a screen of it. */
function useNearScreen(element: RefObject<HTMLElement | null>, atFirst: boolean): boolean {
  const [near, setNear] = useState(atFirst);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? true), {
      rootMargin: '100%',
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return near;
}
