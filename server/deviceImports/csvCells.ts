/** What a spreadsheet would take for a formula, also after apostrophes of ours. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;
const guarded = /^'+[=+\-@\t\r\n＝＋－＠]/;

/**
 * A line of CSV (RFC 4180). A spreadsheet takes what begins with `=`, `+`, `-` or `@` for a formula; the apostrophe put
 * before it tells it not to. `textOf` takes that one away again, so that any text comes back as it was: what already
 * begins with apostrophes before such a sign gets one more.
 */
export function csvLine(texts: readonly string[]): string {
  return `${texts.map(cellOf).join(',')}\r\n`;
}

function cellOf(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const separators = /[,;\t]/;

/** Spreadsheets write semicolons where the comma stands before decimals, or tabs: what parts the names of the columns. */
export function separatorOf(head: string): string {
  return separators.exec(head.replace(/"[^"]*"/g, ''))?.[0] ?? ',';
}

/** What a cell says. */
export function textOf(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}
