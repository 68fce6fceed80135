import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { Menu, type MenuItem } from '#console/ui/dialog/Menu.tsx';
import { moveAmong } from '#console/ui/focus/moveAmong.ts';
import { BareCheckbox } from '#console/ui/form/Checkbox.tsx';
import { type Sort, SortHead } from './SortHead.tsx';
import css from './Table.module.css';
import { showCut } from './TwoLines.tsx';

export interface Column<Row> {
  id: string;
  head: string;
  /** The head is visually hidden, because the column holds buttons. */
  hideHead?: true;
  cell: (row: Row) => ReactNode;
  /** The field for `sortBy`; absent: the list cannot be sorted by this column. */
  sort?: string;
  /** Another field shown in the cell that the list can be sorted by. */
  alsoSort?: { head: string; by: string };
  align?: 'end';
  /** Shown at any screen width. */
  always?: true;
  /** Short content, a word or two: on a phone the name beside it gets the space. */
  isShort?: true;
  /** Shown only if there is space to spare: not beside a side column or many other columns. */
  isWide?: true;
  /** The column is left out if no row on the page has a value. */
  hasValue?: (row: Row) => boolean;
  /** Hidden unless the user chooses it. */
  isOptional?: true;
  /** A CSS width; the other columns share the rest. */
  width?: string;
}

export interface Selection {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

export interface TableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Makes the whole row a link, with the first cell as its text. */
  rowLink?: ((row: Row) => LinkProps) | undefined;
  rowMenu?: ((row: Row) => readonly (MenuItem | 'line')[]) | undefined;
  /** The name of the row, for the labels of its checkbox and menu. */
  rowName?: ((row: Row) => string) | undefined;
  /** Rows of a group are listed together under its name; a group without a name, or the only group, has no heading. */
  group?: ((row: Row) => string) | undefined;
  sort?: Sort | undefined;
  selection?: Selection | undefined;
  /** Rows to highlight, such as one that was just created. */
  marked?: ((row: Row) => boolean) | undefined;
}

export function Table<Row>(given: TableProps<Row>) {
  const columns = given.columns.filter(({ hasValue }) => !hasValue || given.rows.some(hasValue));
  const props = { ...given, columns };
  const { label, rows, rowKey, rowMenu, sort, selection, group } = props;
  const keys = rows.map(rowKey);
  const chosen = keys.filter(key => selection?.chosen.has(key)).length;
  const choose = useChoose(keys, selection);
  return (
    <table
      className={css.table}
      aria-label={label}
      onKeyDown={event => moveAmong(event, `a.${css.rowLink}`)}
      onPointerOver={showCut}
    >
      <thead>
        <tr>
          {selection && (
            <th scope="col" className={css.narrow}>
              <BareCheckbox
                label="Select all on this page"
                checked={chosen > 0 && chosen === keys.length}
                some={chosen > 0}
                onChange={all => selection.onChange(withThese(selection.chosen, keys, all))}
              />
            </th>
          )}
          {columns.map((column, at) => (
            <SortHead key={column.id} column={column} from={shownFrom(column, at)} sort={sort} />
          ))}
          {rowMenu && (
            <th scope="col" className={css.narrow}>
              <span className="visuallyHidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      {groupsOf(rows, group).map(([name, members]) => (
        <tbody key={name}>
          {name && (
            <tr className={css.group}>
              <th scope="rowgroup" colSpan={99}>
                {name}
              </th>
            </tr>
          )}
          {members.map(row => (
            <Row key={rowKey(row)} row={row} choose={choose} {...props} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** Selects a row, or with Shift all rows from the one selected last. */
function useChoose(keys: readonly string[], selection: Selection | undefined) {
  const anchor = useRef<string>(undefined);
  return (key: string, isChosen: boolean, toAnchor: boolean) => {
    const from = toAnchor && anchor.current !== undefined ? keys.indexOf(anchor.current) : -1;
    const to = keys.indexOf(key);
    const range = from < 0 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1);
    anchor.current = key;
    selection?.onChange(withThese(selection.chosen, range, isChosen));
  };
}

interface RowProps<Row> extends TableProps<Row> {
  row: Row;
  choose: (key: string, isChosen: boolean, toAnchor: boolean) => void;
}

function Row<Row>({ row, choose, ...props }: RowProps<Row>) {
  const { columns, rowKey, rowLink, rowMenu, rowName, selection, marked } = props;
  const key = rowKey(row);
  const name = rowName?.(row) ?? key;
  const menu = rowMenu?.(row);
  return (
    <tr data-marked={marked?.(row) || undefined} data-chosen={selection?.chosen.has(key) || undefined}>
      {selection && (
        <td className={css.narrow}>
          <BareCheckbox
            label={`Select ${name}`}
            checked={selection.chosen.has(key)}
            onChange={(isChosen, withShift) => choose(key, isChosen, withShift)}
          />
        </td>
      )}
      {columns.map((column, at) => (
        <td key={column.id} data-from={shownFrom(column, at)} data-align={column.align}>
          {at === 0 && rowLink ? (
            <Link {...rowLink(row)} className={css.rowLink} data-row-main>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {menu && (
        <td className={css.narrow}>
          {menu.length > 0 && <Menu label={`Actions for ${name}`} items={menu} />}
        </td>
      )}
    </tr>
  );
}

/** A phone shows two columns, a tablet four; columns of buttons always stay. */
function shownFrom(
  { hideHead, always, isWide }: { hideHead?: true; always?: true; isWide?: true },
  at: number,
): 'tablet' | 'desktop' | 'wide' | undefined {
  if (isWide) return 'wide';
  if (at < 2 || hideHead || always) return undefined;
  return at < 4 ? 'tablet' : 'desktop';
}

function groupsOf<Row>(rows: readonly Row[], group?: (row: Row) => string): [string, readonly Row[]][] {
  if (!group) return [['', rows]];
  const groups = [...Map.groupBy(rows, group)];
  // A single group needs no heading.
  return groups.length === 1 ? [['', rows]] : groups;
}

function withThese(
  chosen: ReadonlySet<string>,
  keys: readonly string[],
  areChosen: boolean,
): ReadonlySet<string> {
  if (areChosen) return new Set([...chosen, ...keys]);
  return new Set([...chosen].filter(key => !keys.includes(key)));
}

export function firstRowLink(within: HTMLElement): HTMLAnchorElement | null {
  return within.querySelector(`a.${css.rowLink}`);
}
