import type { Sql } from '#server/infra/db/sql.ts';

/**
 * What the list engine needs to know about a noun: where its rows are, which columns a page shows, and how rows are
 * sorted, searched, filtered and counted. Columns are named as in `columns`, with the alias of their table.
 */
export interface ListDeclaration<Filter, Row extends Listed, Item> {
  /** The noun's own table, and tables with exactly one row for each of its rows. */
  tables: readonly [ListTable<Filter>, ...ListTable<Filter>[]];
  /**
   * The column with the owner of a row, usually the project. Every table has it, and it comes first in their indexes.
   */
  owner: { column: string; of: (filter: Filter) => string };
  /** Whether an id identifies one row across all owners; if not, the rows of a page are found by owner and id. */
  idsAreGlobal: boolean;
  /** `bigint` if ids are numbers. */
  idType?: 'bigint';
  columns: Sql;
  toItem: (row: Row, now: Date) => Item;
  /** By the name in `sortBy`. */
  sortable: Record<string, SortKey>;
  /** The generated column to search, made by `search_text` with a trigram index; optional. */
  search?: string;
  /** If indexes have a second column after the owner. */
  group?: ListGroup<Filter>;
  /**
   * A column with the total from counters that the database maintains, if they have it. Used only if there is no
   * search.
   */
  counted?: (filter: Filter) => Sql | undefined;
}

/** What identifies a row of a page. */
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
 * `id`: rows are sorted by id alone; generated ids sort by creation time. Otherwise by a column and then the id, so
 * that the order is total and a cursor identifies one position in it.
 */
export type SortKey = 'id' | SortColumn;

export interface SortColumn {
  /** With the alias of its table. */
  column: string;
  type: 'text' | 'timestamptz' | 'bigint';
  /** Null sorts as the lowest value of its type: `''`, `-infinity`. The index must be on `coalesce(column, least)`. */
  isNullable?: boolean;
  /** Whether an index on owner, group, column and id provides the order; if not, all matches are sorted. */
  isIndexed: boolean;
}

/**
 * A column between owner and sort key in the indexes, such as the class of a device. If a filter names no group, each
 * group of the owner is read in order, in a branch of the query, and the branches are merged.
 */
export interface ListGroup<Filter> {
  column: string;
  of: (filter: Filter) => string | undefined;
  /** The groups of the owner as `id`, up to `max`. */
  all: (filter: Filter, max: number) => Sql;
  /** Whether the filter leaves so few rows that it is better to read them all and sort them. */
  isNeedless?: (filter: Filter) => boolean;
}
