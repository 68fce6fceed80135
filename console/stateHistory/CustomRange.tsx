import bar from '#console/ui/list/Toolbar.module.css';
import { useUrlState } from '#console/urlState.ts';
import { rangeOf } from './historyRange.ts';
import css from './stateHistory.module.css';

/** Start and end, in the time zone of the browser. */
export function CustomRange() {
  const [url, change] = useUrlState();
  const isWrong = url.from !== undefined && url.to !== undefined && rangeOf(url, 0) === undefined;
  return (
    <div className={css.custom}>
      {(['from', 'to'] as const).map(name => (
        <label key={name}>
          {name === 'from' ? 'From' : 'To'}
          <input
            className={bar.control}
            type="datetime-local"
            value={url[name] ?? ''}
            aria-invalid={isWrong || undefined}
            onChange={event => change({ [name]: event.target.value }, { replace: true })}
          />
        </label>
      ))}
      <span className={css.wrong} role="status">
        {isWrong && 'The end must be after the start, and at most two years later.'}
      </span>
    </div>
  );
}
