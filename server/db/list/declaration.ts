import type { Sql } from '#server/db/sql.ts';

/**
 * What the list engine has to know of a noun: where its rows are, what a page shows of them, how they can be sorted,
 * searched, filtered and counted. Columns are named as in `columns`, with the alias of their table.
 */
export interface ListDeclaration<Filter, Row extends Listed, Item> {
  /** The noun's own table, and those that have exactly one row for each of its rows. */
  tables: readonly [ListTable<Filter>, ...ListTable<Filter>[]];
  /** The column that says whose rows they are, in each of the tables and first in their indexes: the project, mostly. */
  owner: { column: string; of: (filter: Filter) => string };
  /** Whether an id names one row whoever owns it; else the rows of a page are found by owner and id. */
  idsAreGlobal: boolean;
  /** `bigint` where ids are numbers. */
  idType?: 'bigint';
  columns: Sql;
  toItem: (row: Row, now: Date) => Item;
  /** By the name in `sortBy`. */
  sortable: Record<string, SortKey>;
  /** The generated column that a search looks at, made by `search_text` and indexed by trigrams; a list may have none. */
  search?: string;
  /** Where indexes go by a second column as well. */
  group?: ListGroup<Filter>;
  /** Counters that the database maintains: the total, if they know it, as a column. Asked only when there is no search. */
  counted?: (filter: Filter) => Sql | undefined;
}

/** What a row of a page is known by. */
export interface Listed {
  id: string | number;
}

export interface ListTable<Filter> {
  name: string;
  alias: string;
  /** The column with the noun's id. */
  id: string;
  /** The conditions on this table alone, besides owner, group and search. */
  conditions?: (filter: Filter) => Sql[];
}

/**
 * `id`: rows are sorted by their id alone; a generated id sorts by the time it was made. Else by a column and then the
 * id, so that the order is total and a cursor names one place in it.
 */
export type SortKey = 'id' | SortColumn;

export interface SortColumn {
  /** With the alias of its table. */
  column: string;
  type: 'text' | 'timestamptz' | 'bigint';
  /** Null is sorted as the least of its type: `''`, `-infinity`. An index has to be on `coalesce(column, least)`. */
  isNullable?: boolean;
  /** Whether an index on owner, group, column and id has the order; else all that match are sorted. */
  isIndexed: boolean;
}

/**
 * A column between owner and sort key in the indexes, such as the class of a device. Where a filter names no group, all
 * groups of the owner are read side by side, each in its order, and merged.
 */
export interface ListGroup<Filter> {
  column: string;
  of: (filter: Filter) => string | undefined;
  /** The groups of the owner as `id`, up to `max`. */
  all: (filter: Filter, max: number) => Sql;
  /** Whether the filter leaves so few rows that they are better read at once and sorted. */
  isNeedless?: (filter: Filter) => boolean;
}
