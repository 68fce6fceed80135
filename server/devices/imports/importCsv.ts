import { separatorOf, textOf } from '#server/infra/csv.ts';
import { type ImportRecord, recordLengthMax } from './importJson.ts';

/** Reads a CSV file (RFC 4180) as objects, with the first line as field names. Empty cells are omitted. */
export async function* csvRecords(text: AsyncIterable<string>): AsyncGenerator<ImportRecord> {
  let names: string[] | undefined;
  for await (const row of rowsOf(text)) {
    const { line, cells } = row;
    if (cells === undefined) {
      yield { line, fault: row.fault, length: 0 };
    } else if (names === undefined) {
      names = cells.map(cell => textOf(cell).trim());
      const twice = names.find((name, i) => names?.indexOf(name) !== i);
      if (twice !== undefined)
        yield { line, fault: `The column "${twice}" appears twice.`, length: 0, ofFile: true };
    } else if (cells.length > names.length) {
      yield { line, fault: 'This line has more cells than there are columns.', length: 0 };
    } else {
      const length = cells.reduce((sum, cell) => sum + cell.length, 0);
      yield { line, value: Object.fromEntries(namedCells(names, cells)), length };
    }
  }
}

function namedCells(names: string[], cells: string[]): [string, string][] {
  return cells.flatMap((cell, i): [string, string][] =>
    cell === '' ? [] : [[names[i] ?? '', textOf(cell)]],
  );
}

type CsvRow = { line: number; cells: string[] } | { line: number; cells?: undefined; fault: string };

/** The first non-empty line, once it is complete. */
const headLine = /^[\r\n]*([^\r\n]+)[\r\n]/;
const headLengthMax = 16 * 1024;

async function* rowsOf(text: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let reader: CsvReader | undefined;
  let head = '';
  for await (const part of text) {
    if (!reader) {
      head += part;
      const names = headLine.exec(head)?.[1];
      if (names === undefined && head.length < headLengthMax) continue;
      reader = new CsvReader(separatorOf(names ?? head));
      yield* reader.read(head);
    } else yield* reader.read(part);
  }
  if (!reader) {
    reader = new CsvReader(separatorOf(head));
    yield* reader.read(head);
  }
  yield* reader.end();
}

const lineEnds = /[\r\n]/g;

/** Parses rows from chunks of text, looking at each character once. */
class CsvReader {
  readonly #separator: string;
  readonly #cellEnds: RegExp;
  #line = 1;
  #rowLine = 1;
  #cells: string[] = [];
  #cell = '';
  #length = 0;
  /** `closed`: after a quote that either closes the cell or is the first of an escaped pair. */
  #at: 'begin' | 'plain' | 'quoted' | 'closed' | 'refused' = 'begin';
  #afterReturn = false;

  constructor(separator: string) {
    this.#separator = separator;
    this.#cellEnds = new RegExp(`[${separator}\\r\\n]`, 'g');
  }

  *read(part: string): Generator<CsvRow> {
    for (let i = 0; i < part.length; ) {
      const sign = part[i] ?? '';
      if (this.#afterReturn && sign === '\n') {
        i += 1;
        this.#afterReturn = false;
        continue;
      }
      this.#afterReturn = false;
      if (this.#at === 'begin' && sign === '"') {
        this.#at = 'quoted';
        i += 1;
      } else if (this.#at === 'quoted') i = this.#quoted(part, i);
      else if (this.#at === 'closed' && sign === '"') {
        this.#cell += '"';
        this.#at = 'quoted';
        i += 1;
      } else if (this.#at === 'closed' && sign !== this.#separator && !/[\r\n]/.test(sign)) {
        yield this.#refuse('There is text after the closing quote of a cell.');
      } else {
        i = this.#plain(part, i);
        if (i < part.length) yield* this.#end(part[i++] ?? '');
      }
      if (this.#length > recordLengthMax) yield this.#refuse('This line is too long for a device.');
    }
  }

  *end(): Generator<CsvRow> {
    if (this.#at === 'quoted') yield this.#refuse('The quote that opens here is never closed.');
    else yield* this.#end('\n');
  }

  /** Skips to the next quote. */
  #quoted(part: string, from: number): number {
    const at = part.indexOf('"', from);
    const text = part.slice(from, at === -1 ? part.length : at);
    this.#add(text);
    for (const _ of text.matchAll(/\n/g)) this.#line += 1;
    if (at === -1) return part.length;
    this.#at = 'closed';
    return at + 1;
  }

  /** Skips to the end of the cell, or of the line if it is faulty. */
  #plain(part: string, from: number): number {
    const ends = this.#at === 'refused' ? lineEnds : this.#cellEnds;
    ends.lastIndex = from;
    const at = ends.exec(part)?.index ?? part.length;
    if (this.#at === 'begin') this.#at = 'plain';
    if (this.#at === 'plain') this.#add(part.slice(from, at));
    return at;
  }

  #add(text: string): void {
    this.#cell += text;
    this.#length += text.length;
  }

  *#end(sign: string): Generator<CsvRow> {
    const isRefused = this.#at === 'refused';
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#at = 'begin';
    if (sign === this.#separator) return;
    const [cells, line] = [this.#cells, this.#rowLine];
    this.#cells = [];
    this.#length = 0;
    this.#line += 1;
    this.#rowLine = this.#line;
    this.#afterReturn = sign === '\r';
    const isEmpty = cells.length === 1 && cells[0] === '';
    if (!isRefused && !isEmpty) yield { line, cells };
  }

  #refuse(fault: string): CsvRow {
    this.#at = 'refused';
    this.#cell = '';
    this.#cells = [];
    this.#length = 0;
    return { line: this.#rowLine, fault };
  }
}
