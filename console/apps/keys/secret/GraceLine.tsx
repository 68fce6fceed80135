import { absoluteTime, hourText, momentText } from '#console/ui/time/dateTexts.ts';
import { durationText, useNow } from '#console/ui/time/TimeAgo.tsx';
import css from './secret.module.css';

/** The time from the rotation to the end of the old secret, with the present marked on it. */
export function GraceLine({ from, to }: { from: string; to: string }) {
  const now = useNow();
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const part = Math.min(1, Math.max(0, (now - begin) / Math.max(1, end - begin)));
  const at = { '--at': `${(part * 100).toFixed(2)}%` } as React.CSSProperties;
  const left = durationText(end - now);
  const isToday = new Date(begin).toDateString() === new Date(now).toDateString();
  return (
    <div className={css.grace} style={at}>
      <p>
        <time dateTime={from} title={absoluteTime(from)}>
          rotated {(isToday ? hourText : momentText)(begin)}
        </time>
        <time dateTime={to} title={absoluteTime(to)}>
          {momentText(end)}
        </time>
      </p>
      <div className={css.track} aria-hidden="true">
        <span className={css.gone} />
        <span className={css.now} />
      </div>
      <p>
        <span className={css.nowWord} aria-hidden="true">
          now
        </span>
        <span className={css.left}>{left} left</span>
      </p>
    </div>
  );
}
