import { memo, type RefObject, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { type LogEntry, logLevels } from '#contract/log.ts';
import { callInShort } from './callInShort.ts';
import lines from './Lines.module.css';
import { LogDetail } from './LogDetail.tsx';
import css from './LogLines.module.css';
import { levelNames } from './levelNames.ts';
import { clockTime } from './localTime.ts';
import { changesInShort } from './logChanges.ts';
import { type LogGroup, logDays } from './logGroups.ts';
import { LogNames, NamedText } from './logNames.tsx';
import { Marked } from './Marked.tsx';
import { SoughtLines } from './soughtLines.ts';

const bySupport = 'by support, acting as this developer';

const blockSize = 50;
const lineHeight = 34;
const noEntries: readonly LogEntry[] = [];

interface LogLinesProps {
  entries: readonly LogEntry[];
  /** True: equal lines in a row stay apart. */
  isWhole?: boolean;
}

/**
 * Ten thousand lines scroll smoothly: they are rendered in blocks, and only those near the screen. Each day has a
 * heading.
 */
export function LogLines({ entries, isWhole = false }: LogLinesProps) {
  const days = useMemo(() => logDays(entries, isWhole), [entries, isWhole]);
  return (
    <div className={lines.mono}>
      {entries.some(({ actor }) => actor.bySudoer) && (
        <p className={css.legend}>
          <b>*</b> {bySupport}
        </p>
      )}
      {days.map(({ words, groups }, at) => (
        <section key={words} aria-label={words}>
          <h2 className={css.day}>{words}</h2>
          <Blocks groups={groups} first={at === 0} />
        </section>
      ))}
    </div>
  );
}

function Blocks({ groups, first }: { groups: readonly LogGroup[]; first: boolean }) {
  // Counted from the oldest line, so that lines added by the tail change only the first block.
  const rest = groups.length % blockSize;
  const starts = [...(rest > 0 ? [0] : []), ...steps(rest, groups.length, blockSize)];
  return starts.map((start, at) => {
    const block = groups.slice(start, start === 0 && rest > 0 ? rest : start + blockSize);
    return <Block key={block.at(-1)?.at(-1)?.id} groups={block} first={first && at < 2} />;
  });
}

function Block({ groups, first }: { groups: readonly LogGroup[]; first: boolean }) {
  const block = useRef<HTMLOListElement>(null);
  const near = useNearScreen(block, first);
  const { projectId, useNames } = useContext(LogNames);
  const names = useNames(projectId, near ? groups.flat() : noEntries);
  const height = useRef(0);
  // The height when it was last rendered, as lines may be unfolded.
  if (near) height.current = block.current?.offsetHeight || groups.length * lineHeight;
  return (
    <ol ref={block} style={near ? undefined : { height: height.current || groups.length * lineHeight }}>
      {near && groups.map(group => <Line key={group.at(-1)?.id} group={group} names={names} />)}
    </ol>
  );
}

interface LineProps {
  group: LogGroup;
  names: ReadonlyMap<string, string>;
}

const Line = memo(function Line({ group, names }: LineProps) {
  const [entry, ...others] = group;
  const isNamed = useContext(SoughtLines).line === entry.id;
  const [open, setOpen] = useState(isNamed);
  return (
    <li className={isNamed ? css.named : undefined}>
      <details className={lines.fold} open={open} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary className={css.line} data-entry={entry.id}>
          <LineHead entry={entry} count={group.length} names={names} />
        </summary>
        {/* Rendered only while open: there are thousands of lines, of which hardly any is opened. */}
        {open &&
          (others.length === 0 ? (
            <LogDetail entry={entry} />
          ) : (
            <ol className={css.each}>
              {group.map(one => (
                <Line key={one.id} group={[one]} names={names} />
              ))}
            </ol>
          ))}
      </details>
    </li>
  );
});

function LineHead({ entry, count, names }: { entry: LogEntry; count: number } & Pick<LineProps, 'names'>) {
  const { ts, level, actor, action, text, detail } = entry;
  const sought = useContext(SoughtLines).text;
  const changed = changesInShort(detail?.before, detail?.after) || (count === 1 ? callInShort(detail) : '');
  return (
    <>
      <time dateTime={ts} title={ts.replace('T', ' ').replace('Z', ' UTC')} className={css.time}>
        {clockTime(ts)}
      </time>
      <span className={`${lines.level} ${css.level}`} data-level={logLevels[level]}>
        {levelNames[logLevels[level] ?? 'INFO']}
      </span>
      <span className={css.actor} title={actorTitle(actor)} dir="auto">
        {actor.displayName || actor.callerType}
        {actor.tokenName !== undefined && ` (${actor.tokenName})`}
        {actor.bySudoer && (
          <abbr title={bySupport}>
            *<span className="visuallyHidden"> {bySupport}</span>
          </abbr>
        )}
      </span>
      <span className={css.text}>
        <NamedText text={callText(text || action)} names={names} />
        {changed && (
          <span className={css.changed}>
            {' '}
            <Marked text={changed} sought={sought} />
          </span>
        )}
        {count > 1 && <b className={css.count}> {count} times</b>}
      </span>
    </>
  );
}

/**
 * Shortens the project's id in app API calls, which is known here and would fill the line. Keeps a long path on the
 * line of its method.
 */
function callText(text: string): string {
  return text.replace(/(\/app\/v1\/[^/@\s]+@)[^/\s]+/, '$1…').replace(/^([A-Z]+) \//, '$1\u00a0/');
}

function actorTitle({ callerType, id, tokenName }: LogEntry['actor']): string {
  return `${callerType} ${id}${tokenName === undefined ? '' : `, by the access token ${tokenName}`}`;
}

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
