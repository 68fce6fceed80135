import type { ReactNode } from 'react';
import arrow from '#console/ui/Arrow.module.css';
import { Button } from '#console/ui/Button.tsx';
import type { Page } from '#contract/paging.ts';
import { pageSizes } from '#contract/paging.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './ListScreen.module.css';
import { countText } from './ListScreen.tsx';
import type { ListState } from './useListState.ts';

interface PagerProps {
  page: Page<unknown>;
  list: ListState;
  /** False: the previous page is shown until the next one arrives. */
  isCurrent?: boolean;
  legend?: ReactNode;
}

/**
 * "26–50 of 924", the page size, and the buttons for back and next. A list that fits on the smallest page needs only
 * the count.
 */
export function Pager({ page, list, isCurrent = true, legend }: PagerProps) {
  const first = (list.number - 1) * list.size + 1;
  const last = first + page.items.length - 1;
  const isLast = !page.totalIsLowerBound && last >= page.total;
  return (
    <footer className={css.pager}>
      <span role="status">
        {numberText(first)}–{numberText(last)} of <b>{countText(page)}</b>
      </span>
      {legend && <span className={css.legend}>{legend}</span>}
      {(page.totalIsLowerBound || page.total > pageSizes[0]) && (
        <span className={css.pagerRight}>
          <select
            className={`${css.size} ${arrow.arrow}`}
            aria-label="Rows per page"
            value={list.size}
            onChange={event => list.resize(Number(event.target.value))}
          >
            {pageSizes.map(size => (
              <option key={size} value={size}>
                {size} per page
              </option>
            ))}
          </select>
          <Button disabled={list.number === 1} onClick={() => list.goTo(list.number - 1)}>
            Previous
          </Button>
          <Button
            disabled={isLast}
            onClick={() => list.goTo(list.number + 1, isCurrent ? page.nextCursor : undefined)}
          >
            Next
          </Button>
        </span>
      )}
    </footer>
  );
}
