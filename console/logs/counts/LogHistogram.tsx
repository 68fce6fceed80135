import css from './histogram.module.css';
import { type LevelWords, partsOf, partText, sumOf, ticksOf } from './partWords.ts';
import type { CountedRange } from './useLogCounts.ts';
import { useMarking } from './useMarking.ts';

interface LogHistogramProps {
  range: CountedRange;
  words: LevelWords;
  /** The time of the oldest and the newest entry on screen. */
  seen: { from: number; to: number } | undefined;
  endsNow: boolean;
  /** Shows only this time. */
  onNarrow: (from: number, to: number) => void;
}

const height = 40;
/** Even one entry among thousands is seen. */
const leastHeight = 2;

/** When something was written, by level. A press goes to that time, dragging narrows the log to it. */
export function LogHistogram({ range, words, seen, endsNow, onNarrow }: LogHistogramProps) {
  const { begin, end, counts } = range;
  const parts = partsOf(range);
  const timeOf = (part: number) => Math.min(end, begin + part * counts.stepMs);
  const narrow = (from: number, to: number) => onNarrow(timeOf(from), timeOf(to + 1));
  const { marked, low, high, handlers } = useMarking(parts.length, narrow);
  const span = { begin: timeOf(low), end: timeOf(high + 1) };
  const said = partText(span, sumOf(parts.slice(low, high + 1)), words);
  return (
    <div className={css.histogram}>
      <p className={css.said} aria-hidden="true">
        {marked && said}
      </p>
      <div
        className={css.field}
        role="slider"
        tabIndex={0}
        aria-label="Time"
        aria-valuemin={0}
        aria-valuemax={parts.length - 1}
        aria-valuenow={marked?.to ?? parts.length - 1}
        aria-valuetext={said}
        title="Drag to narrow the time"
        {...handlers}
      >
        <PartBars parts={parts} />
        {marked && <Span className={css.marked} from={low} to={high + 1} of={parts.length} />}
        {seen && (
          <Span
            className={css.seen}
            from={Math.floor((seen.from - begin) / counts.stepMs)}
            to={Math.floor((seen.to - begin) / counts.stepMs) + 1}
            of={parts.length}
          />
        )}
      </div>
      <ol className={css.ticks} aria-hidden="true">
        {ticksOf(range, endsNow).map(({ at, text }) => (
          <li key={at} style={{ insetInlineStart: `${at * 100}%` }}>
            {text}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** One shape for all parts of a level, in the order they are stacked. */
function PartBars({ parts }: { parts: readonly (readonly number[])[] }) {
  const stacks = parts.map(([errors = 0, warnings = 0, info = 0, debug = 0]) => [
    info + debug,
    warnings,
    errors,
  ]);
  const top = Math.max(1, ...parts.map(levels => levels.reduce((sum, one) => sum + one, 0)));
  const shapes = ['', '', ''];
  stacks.forEach((stack, at) => {
    let below = height;
    stack.forEach((count, level) => {
      if (count === 0) return;
      const tall = Math.max(leastHeight, (count / top) * (height - 2 * leastHeight));
      below -= tall;
      shapes[level] += `M${at + 0.08} ${below.toFixed(2)}h.84v${tall.toFixed(2)}h-.84z`;
    });
  });
  return (
    <svg
      className={css.bars}
      viewBox={`0 0 ${parts.length} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {['other', 'warning', 'error'].map((level, at) => (
        <path key={level} data-level={level} d={shapes[at]} />
      ))}
    </svg>
  );
}

function Span({
  className,
  from,
  to,
  of,
}: {
  className: string | undefined;
  from: number;
  to: number;
  of: number;
}) {
  const [low, high] = [Math.max(0, from), Math.min(of, to)];
  if (high < low) return null;
  return (
    <span
      className={className}
      style={{ insetInlineStart: `${(low / of) * 100}%`, inlineSize: `${((high - low) / of) * 100}%` }}
    />
  );
}
