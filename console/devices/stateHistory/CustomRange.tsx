import { useUrlState } from '#console/core/urlState.ts';
import { MomentField } from '#console/ui/fields/MomentField.tsx';
import { rangeOf } from './historyRange.ts';
import css from './stateHistory.module.css';

/** Start and end of the history. */
export function CustomRange() {
  const [url, change] = useUrlState();
  const isWrong = url.from !== undefined && url.to !== undefined && rangeOf(url, 0) === undefined;
  return (
    <div className={css.custom}>
      {(['from', 'to'] as const).map(name => (
        <MomentField
          key={name}
          label={name === 'from' ? 'From' : 'To'}
          className={css.moment}
          value={url[name]}
          invalid={isWrong}
          onChange={value => change({ [name]: value }, { replace: true })}
        />
      ))}
      <span className={css.wrong} role="status">
        {isWrong && 'The end must be after the start, and at most two years later.'}
      </span>
    </div>
  );
}
