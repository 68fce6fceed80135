import type { Cell } from './cells.ts';
import type { Table } from './readTable.ts';

type Row = Record<string, Cell>;

export const rowsOf = ({ columns, rows }: Table): Row[] =>
  rows.map(row => Object.fromEntries(columns.map(({ name }, at): [string, Cell] => [name, row[at] ?? null])));

/** A table as rules see it: its rows by key, or as a list. */
export function shapeOf(table: Table, key: string): Record<string, Row> | Row[] {
  const rows = rowsOf(table);
  return key === '' ? rows : Object.fromEntries(rows.map((row): [string, Row] => [String(row[key]), row]));
}
