import {
  columnNamePattern,
  type columnTypes,
  type TableColumn,
  type TableFault,
  tableMax,
} from '#contract/moduleData.ts';

export type Cell = string | number | boolean | null;
type ColumnType = (typeof columnTypes)[number];

/** Numbers as in JSON. A value with leading zeros is text, for example a part number. */
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/;
const isBoolean = (text: string) => /^(true|false)$/i.test(text);

/** Converts a value to the type of its column. Text from a CSV file is parsed according to that type. */
export function fitCell(given: unknown, type: ColumnType): { value: Cell; fault?: string } {
  if (given === null || given === undefined || given === '')
    return { value: given === '' && type === 'text' ? '' : null };
  if (typeof given === 'object')
    return { value: null, fault: 'A cell can contain text, a number, true or false.' };
  const text = String(given);
  if (text.length > tableMax.cellChars)
    return {
      value: null,
      fault: `A cell can have at most ${tableMax.cellChars.toLocaleString('en')} characters.`,
    };
  if (type === 'text') return { value: text };
  if (type === 'boolean')
    return isBoolean(text)
      ? { value: text.toLowerCase() === 'true' }
      : { value: null, fault: 'This must be true or false.' };
  const value = number.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? { value } : { value: null, fault: 'This must be a number, such as 21.5.' };
}

/** The columns of rows without declared columns: each gets the type that all its values have. */
export function columnsOf(records: readonly Record<string, unknown>[], faults: TableFault[]): TableColumn[] {
  const types = new Map<string, ColumnType | undefined>();
  for (const [at, record] of records.entries()) {
    for (const [name, value] of Object.entries(record)) {
      if (!types.has(name) && !isColumnName(name)) {
        faults.push({
          row: at + 1,
          column: name.slice(0, 60),
          message: 'A column name consists of letters, digits and _, and starts with a letter.',
        });
        return [];
      }
      types.set(name, common(types.get(name), typeOf(value)));
    }
    if (types.size > tableMax.columns) {
      faults.push({ message: `A table can have at most ${tableMax.columns} columns.` });
      return [];
    }
  }
  return [...types].map(([name, type = 'text']) => ({ name, type }));
}

const isColumnName = (name: string) => name.length <= 60 && columnNamePattern.test(name);

function typeOf(value: unknown): ColumnType | undefined {
  if (value === null || value === '') return undefined;
  const text = String(value);
  return number.test(text) ? 'number' : isBoolean(text) ? 'boolean' : 'text';
}

const common = (one: ColumnType | undefined, other: ColumnType | undefined): ColumnType | undefined =>
  one === undefined || one === other ? other : other === undefined ? one : 'text';
