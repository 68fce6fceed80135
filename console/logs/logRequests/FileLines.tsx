import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import lineCss from '#console/ui/logs/Lines.module.css';
import { levelNames } from '#console/ui/logs/levelNames.ts';
import { localTime } from '#console/ui/logs/localTime.ts';
import { logLevels } from '#contract/log.ts';
import css from './logRequests.module.css';
import type { FileLine } from './readLogFile.ts';

const lineHeight = 24;

/** A file can have hundreds of thousands of lines, so only those on screen are rendered. */
export function FileLines({ lines }: { lines: readonly FileLine[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus
    <section ref={scroller} className={`${lineCss.mono} ${css.scroller}`} aria-label="Lines" tabIndex={0}>
      <div className={css.all} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index];
          if (!line) return null;
          return (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className={css.line}
              style={{ transform: `translateY(${start}px)` }}
            >
              <LogText line={line} />
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** Time, level and words. */
export function LogText({ line: { ts, level, text } }: { line: FileLine }) {
  const word = logLevels[level] ?? 'INFO';
  return (
    <>
      <time dateTime={ts || undefined} title={ts || undefined}>
        {ts && localTime(ts)}
      </time>
      <b className={lineCss.level} data-level={word}>
        {levelNames[word]}
      </b>
      <span>{text}</span>
    </>
  );
}
