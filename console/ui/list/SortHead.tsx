import type { CSSProperties } from 'react';
import { SortDownIcon, SortUpIcon } from '#console/ui/icons/icons.tsx';
import css from './Table.module.css';
import type { Column } from './Table.tsx';

export interface Sort {
  /** `field:asc` or `field:desc`, as in the API. */
  by: string;
  /** The default order of the list. */
  initial: string;
  onChange: (by: string) => void;
}

interface SortHeadProps<Row> {
  column: Column<Row>;
  from: string | undefined;
  sort: Sort | undefined;
}

/** The head of a column; a button if the list can be sorted by it. */
export function SortHead<Row>({ column, from, sort }: SortHeadProps<Row>) {
  const [field, direction] = sort?.by.split(':') ?? [];
  const sorted = field !== undefined && (field === column.sort || field === column.alsoSort?.by);
  const up = direction === 'asc';
  const button = (by: string, words: string) => (
    <button
      type="button"
      className={css.sort}
      data-sorted={field === by || undefined}
      onClick={() => sort?.onChange(nextOrder(sort, by))}
    >
      {words}
      <span className={css.arrow}>
        {field === by && !up ? <SortDownIcon size={13} /> : <SortUpIcon size={13} />}
      </span>
    </button>
  );
  return (
    <th
      scope="col"
      data-from={from}
      data-short={column.isShort}
      data-align={column.align}
      aria-sort={sorted ? (up ? 'ascending' : 'descending') : undefined}
      style={column.width ? ({ '--width': column.width } as CSSProperties) : undefined}
    >
      {column.sort && sort ? (
        <span className={css.sorts}>
          {button(column.sort, column.head)}
          {column.alsoSort && button(column.alsoSort.by, column.alsoSort.head)}
        </span>
      ) : (
        <span className={column.hideHead && 'visuallyHidden'}>{column.head}</span>
      )}
    </th>
  );
}

/** Ascending first, then descending; the third press restores the default. */
function nextOrder({ by, initial }: Sort, field: string): string {
  const [up, down] = [`${field}:asc`, `${field}:desc`];
  if (by === up) return down;
  return by === down && initial !== down ? initial : up;
}
