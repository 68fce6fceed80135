import { memo } from 'react';
import { binarySize, countOf } from '#console/firmware/firmwareWords.ts';
import css from './upload.module.css';
import type { PartView } from './uploadView.ts';

interface PartsGridProps {
  parts: readonly PartView[];
  partBytes: number;
  /** Absent: no running upload could send a part again. */
  onRetry?: (number: number) => void;
}

/** The parts of a file: stored, being sent, failed, and still to come. */
export function PartsGrid({ parts, partBytes, onRetry }: PartsGridProps) {
  const count = (state: PartView['state']) => parts.filter(part => part.state === state).length;
  const [sending, failed] = [count('sending'), count('failed')];
  return (
    <>
      <div className={css.grid}>
        {parts.map(part => (
          <Cell
            key={part.number}
            number={part.number}
            state={part.state}
            percent={Math.round((part.sentBytes / (part.to - part.from)) * 100)}
            onRetry={onRetry}
          />
        ))}
      </div>
      <ul className={css.legend}>
        <li data-state="stored">
          {count('stored')} of {countOf(parts.length, 'part')} stored
        </li>
        {sending > 0 && <li data-state="sending">{sending} on their way</li>}
        {failed > 0 && <li data-state="failed">{failed} failed</li>}
        {parts.length > 1 && <li>{binarySize(partBytes)} each, checked one by one</li>}
      </ul>
    </>
  );
}

interface CellProps {
  number: number;
  state: PartView['state'];
  percent: number;
  onRetry: PartsGridProps['onRetry'];
}

/** Memoized: there can be hundreds of parts, of which three change at a time. */
const Cell = memo(function Cell({ number, state, percent, onRetry }: CellProps) {
  if (state === 'failed' && onRetry)
    return (
      <button
        type="button"
        className={css.cell}
        data-state={state}
        aria-label={`Retry part ${number}`}
        title={`Retry part ${number}`}
        onClick={() => onRetry(number)}
      />
    );
  return (
    <span className={css.cell} data-state={state} aria-hidden="true">
      {state === 'sending' && <span style={{ inlineSize: `${percent}%` }} />}
    </span>
  );
});
