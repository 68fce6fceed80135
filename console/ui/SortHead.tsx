import type { CSSProperties } from 'react';
import { SortDownIcon, SortUpIcon } from './icons.tsx';
import css from './Table.module.css';
import type { Column } from './Table.tsx';

export interface Sort {
  /** `field:asc` or `field:desc`, as the API takes it. */
  by: string;
  onChange: (by: string) => void;
}

interface SortHeadProps<Row> {
  column: Column<Row>;
  from: string | undefined;
  sort: Sort | undefined;
}

/** The head of a column; a button when one can sort by it. */
export function SortHead<Row>({ column, from, sort }: SortHeadProps<Row>) {
  const [field, direction] = sort?.by.split(':') ?? [];
  const sorted = column.sort !== undefined && field === column.sort;
  const up = direction === 'asc';
  return (
    <th
      scope="col"
      data-from={from}
      data-align={column.align}
      aria-sort={sorted ? (up ? 'ascending' : 'descending') : undefined}
      style={column.width ? ({ '--width': column.width } as CSSProperties) : undefined}
    >
      {column.sort && sort ? (
        <button
          type="button"
          className={css.sort}
          onClick={() => sort.onChange(`${column.sort}:${sorted && up ? 'desc' : 'asc'}`)}
        >
          {column.head}
          <span className={css.arrow}>
            {sorted && !up ? <SortDownIcon size={13} /> : <SortUpIcon size={13} />}
          </span>
        </button>
      ) : (
        <span className={column.hideHead && 'visuallyHidden'}>{column.head}</span>
      )}
    </th>
  );
}
