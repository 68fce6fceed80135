import { type TableColumn, type TableFault, tableMax } from '#contract/moduleData.ts';
import { csvRecords } from '#server/devices/imports/importCsv.ts';
import { yieldsEvery } from '#server/infra/pace/yieldsEvery.ts';
import { type Cell, columnsOf, fitCell } from './cells.ts';
import type { TableConfig } from './tableConfig.ts';

/** Rows with their values in the order of the columns. */
export interface Table {
  columns: TableColumn[];
  rows: Cell[][];
}

export type GivenTable = { rows: readonly Record<string, unknown>[] } | { csv: string };

const faultsMax = 20;
/** Longest time without a pause: a large table takes 0.3 s. */
const turnMs = 5;

/** Parses the rows given for a table, or reports what does not fit. */
export async function readTable(
  given: GivenTable,
  { columns: declared, key }: TableConfig,
): Promise<{ table: Table } | { faults: TableFault[] }> {
  const faults: TableFault[] = [];
  const records = 'csv' in given ? await fromCsv(given.csv, faults) : given.rows;
  if (records.length > tableMax.rows)
    faults.push({ message: `A table can have at most ${tableMax.rows.toLocaleString('en')} rows.` });
  if (faults.length > 0) return { faults };
  const columns = declared.length > 0 ? declared : columnsOf(records, faults);
  if (faults.length === 0) checkNames(records, columns, faults);
  const rows: Cell[][] = [];
  const yielded = yieldsEvery(turnMs);
  for (const [at, record] of faults.length > 0 ? [] : records.entries()) {
    await yielded();
    rows.push(rowOf(record, { columns, row: at + 1, faults }));
  }
  if (faults.length === 0 && key !== '') checkKeys({ columns, rows }, key, faults);
  return faults.length > 0 ? { faults: faults.slice(0, faultsMax) } : { table: { columns, rows } };
}

async function fromCsv(csv: string, faults: TableFault[]): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let row = 0;
  const yielded = yieldsEvery(turnMs);
  for await (const record of csvRecords(oneChunk(csv.replace(/^\uFEFF/, '')))) {
    row += 1;
    await yielded();
    if ('fault' in record) faults.push({ ...(!record.ofFile && { row }), message: record.fault });
    else found.push(record.value as Record<string, unknown>);
    if (faults.length >= faultsMax || row > tableMax.rows) break;
  }
  return found;
}

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text;
}

function rowOf(
  record: Record<string, unknown>,
  { columns, row, faults }: { columns: readonly TableColumn[]; row: number; faults: TableFault[] },
): Cell[] {
  return columns.map(({ name, type }) => {
    const fit = fitCell(Object.hasOwn(record, name) ? record[name] : null, type);
    if (fit.fault !== undefined && faults.length < faultsMax)
      faults.push({ row, column: name, message: fit.fault });
    return fit.value;
  });
}

/** A value for an unknown column would be lost silently. */
function checkNames(
  records: readonly Record<string, unknown>[],
  columns: readonly TableColumn[],
  faults: TableFault[],
): void {
  const known = new Set(columns.map(({ name }) => name));
  for (const [at, record] of records.entries()) {
    const column = Object.keys(record).find(name => !known.has(name));
    if (column === undefined) continue;
    faults.push({ row: at + 1, column, message: 'The table has no column with this name.' });
    if (faults.length >= faultsMax) return;
  }
}

/** Reports a missing key column, and empty or duplicate keys, because such rows cannot be found. */
function checkKeys({ columns, rows }: Table, key: string, faults: TableFault[]): void {
  const at = columns.findIndex(({ name }) => name === key);
  if (at < 0) {
    if (rows.length > 0) faults.push({ column: key, message: 'The key column is missing.' });
    return;
  }
  const seen = new Map<string, number>();
  for (const [i, row] of rows.entries()) {
    const value = row[at] ?? null;
    const earlier = seen.get(String(value));
    if (value === null) faults.push({ row: i + 1, column: key, message: 'The key is empty.' });
    else if (earlier !== undefined)
      faults.push({ row: i + 1, column: key, message: `Row ${earlier} has the same key.` });
    else seen.set(String(value), i + 1);
    if (faults.length >= faultsMax) return;
  }
}
