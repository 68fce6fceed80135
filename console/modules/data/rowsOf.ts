import type { ModuleData, TableColumn } from '#contract/moduleData.ts';

export interface Rows {
  columns: readonly string[];
  /** The cells of each row, by column. */
  rows: readonly Readonly<Record<string, unknown>>[];
}

type Given =
  | Pick<ModuleData, 'data' | 'table'>
  | { columns: readonly TableColumn[]; data: readonly Record<string, unknown>[] };

/** Data as rows and columns; undefined if it can only be shown as JSON. */
export function rowsOf(given: Given): Rows | undefined {
  if ('columns' in given) return { columns: given.columns.map(({ name }) => name), rows: given.data };
  const { table } = given;
  const data: unknown = given.data;
  const rows: unknown[] | undefined = Array.isArray(data)
    ? data
    : table && isRecord(data)
      ? Object.values(data)
      : undefined;
  if (!rows || rows.length === 0 || !rows.every(row => isRecord(row))) return undefined;
  const columns = table?.columns.map(({ name }) => name) ?? [...new Set(rows.flatMap(Object.keys))];
  return columns.length <= columnsMax ? { columns, rows } : undefined;
}

const columnsMax = 50;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rows as CSV, in the format that is typed and uploaded. */
export function csvOf({ columns, rows }: Rows): string {
  const lines = rows.map(row => columns.map(name => cellText(row[name])).join(','));
  return [columns.map(cellText).join(','), ...lines].join('\n');
}

function cellText(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
