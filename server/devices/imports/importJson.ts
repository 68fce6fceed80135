import { type JsonFault, parseStrictJson } from '#rules/json/strictJson.ts';

/** A raw device in a file, or why it cannot be parsed. `ofFile`: the error concerns the whole file. */
export type ImportRecord =
  | { line: number; value: unknown; length: number }
  | { line: number; fault: string; length: number; ofFile?: boolean };

const sentences: Record<JsonFault, string> = {
  SYNTAX: 'This is not valid JSON.',
  TOO_DEEP: 'This is nested too deeply.',
  DUPLICATE_KEY: 'A member appears twice.',
  NUMBER_RANGE: 'A number has more digits than can be stored.',
  TEXT: 'A string has characters that cannot be stored.',
};

const signs = /["\\{}[\]\n]/g;
/** Larger than a device with all its pairs can be, even with escapes. */
export const recordLengthMax = 16 * 1024 * 1024;

/**
 * Splits a JSON list or JSON lines into top-level objects by matching braces. An unclosed string ends at the
 * end of its line, so that parsing recovers on the next line.
 */
export async function* jsonRecords(text: AsyncIterable<string>): AsyncGenerator<ImportRecord> {
  const reader = new JsonReader();
  for await (const part of text) yield* reader.read(part);
  yield* reader.end();
}

class JsonReader {
  #line = 1;
  #depth = 0;
  #inText = false;
  /** The next character is escaped. */
  #escaped = false;
  /** No further errors are reported until the end of the line. */
  #refused = false;
  #record = '';
  #recordLine = 1;
  #list: 'none' | 'open' | 'closed' = 'none';

  *read(part: string): Generator<ImportRecord> {
    let from = 0;
    for (const { 0: sign, index } of part.matchAll(signs)) {
      yield* this.#pass(part.slice(from, index));
      from = index + 1;
      yield* this.#take(sign);
    }
    yield* this.#pass(part.slice(from));
  }

  *end(): Generator<ImportRecord> {
    if (this.#depth > 0) yield this.#fault(this.#recordLine, 'What starts here is never closed.');
    else if (this.#list === 'open')
      yield { ...this.#fault(this.#line, 'The list is not closed: the file is incomplete.'), ofFile: true };
  }

  *#pass(text: string): Generator<ImportRecord> {
    if (text === '') return;
    this.#escaped = false;
    if (this.#depth > 0) {
      this.#record += text;
      if (this.#record.length > recordLengthMax) yield* this.#refuse('This line is too long for a device.');
    } else if (/[^\s,]/.test(text)) yield* this.#refuse('This is not a device.');
  }

  *#take(sign: string): Generator<ImportRecord> {
    const isPlain = this.#escaped || (this.#inText && sign !== '"' && sign !== '\\' && sign !== '\n');
    this.#escaped = sign === '\\' && this.#inText && !this.#escaped;
    if (sign === '\n') return yield* this.#endLine();
    if (this.#refused) return;
    if (this.#depth === 0 && sign !== '{') return yield* this.#outside(sign);
    if (this.#depth === 0) this.#recordLine = this.#line;
    this.#record += sign;
    if (isPlain) return;
    if (sign === '"') this.#inText = !this.#inText;
    else if (sign === '{' || sign === '[') this.#depth += 1;
    else if (sign === '}' || sign === ']') this.#depth -= 1;
    if (this.#depth === 0) yield this.#finish();
  }

  *#endLine(): Generator<ImportRecord> {
    if (this.#inText) yield* this.#refuse(sentences.SYNTAX);
    if (this.#depth > 0) this.#record += '\n';
    this.#refused = false;
    this.#line += 1;
  }

  *#outside(sign: string): Generator<ImportRecord> {
    if (sign === '[' && this.#list === 'none') this.#list = 'open';
    else if (sign === ']' && this.#list === 'open') this.#list = 'closed';
    else yield* this.#refuse('This is not a device.');
  }

  #finish(): ImportRecord {
    const [record, line] = [this.#record, this.#recordLine];
    this.#record = '';
    const parsed = parseStrictJson(record);
    if (parsed.ok) return { line, value: parsed.value, length: record.length };
    // JSON.parse does not always report the position of an error.
    if (parsed.fault === 'SYNTAX') return this.#fault(line, 'The device that starts here is not valid JSON.');
    const before = record.slice(0, parsed.at).split('\n').length - 1;
    return this.#fault(line + before, sentences[parsed.fault]);
  }

  /** The rest of the line is skipped. */
  *#refuse(why: string): Generator<ImportRecord> {
    if (!this.#refused) yield this.#fault(this.#line, why);
    this.#refused = true;
    this.#depth = 0;
    this.#inText = false;
    this.#record = '';
  }

  #fault(line: number, fault: string): ImportRecord {
    return { line, fault, length: 0 };
  }
}
