/** Matches what a spreadsheet would read as a formula, also after apostrophes that we have added. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;
const guarded = /^'+[=+\-@\t\r\n＝＋－＠]/;

export const lineEnd = '\r\n';

/**
 * Formats a line of CSV (RFC 4180). An apostrophe is put before text that a spreadsheet would read as a formula
 * (`=`, `+`, `-`, `@`); `textOf` removes it. Text that already begins with apostrophes before such a character
 * gets one more, so that every text round-trips.
 */
export function csvLine(texts: readonly string[]): string {
  return `${texts.map(cellOf).join(',')}${lineEnd}`;
}

/** Formats rows as a CSV file with these columns, page by page. */
export async function* csvFile<Row, Column extends keyof Row & string>(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly Column[],
  textOfValue: (value: Row[Column]) => string,
): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const rows of pages)
    yield rows.map(row => csvLine(columns.map(column => textOfValue(row[column])))).join('');
}

function cellOf(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const separators = /[,;\t]/;

/**
 * Detects the separator from the header line: spreadsheets write semicolons where the comma is the decimal
 * separator, or tabs.
 */
export function separatorOf(head: string): string {
  return separators.exec(head.replace(/"[^"]*"/g, ''))?.[0] ?? ',';
}

/** The text of a cell, without the protecting apostrophe. */
export function textOf(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}
