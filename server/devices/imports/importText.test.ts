import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStrictJson } from '#rules/json/strictJson.ts';
import { csvLine, textOf } from '#server/infra/csv.ts';
import { csvRecords } from './importCsv.ts';
import { type ImportRecord, jsonRecords } from './importJson.ts';

async function* inParts(text: string, size: number) {
  for (let i = 0; i < text.length; i += size) yield text.slice(i, i + size);
}

type Reader = (text: AsyncIterable<string>) => AsyncIterable<ImportRecord>;
/** Returns line and value, or line and error, and checks that they do not depend on how the text is split. */
async function read(reader: Reader, text: string): Promise<[number, unknown][]> {
  const results: [number, unknown][][] = [];
  for (const size of [1, 2, 7, 1_000_000]) {
    const found: [number, unknown][] = [];
    for await (const record of reader(inParts(text, size)))
      found.push([record.line, 'fault' in record ? record.fault : record.value]);
    results.push(found);
  }
  for (const result of results) expect(result).toEqual(results[0]);
  return results[0] ?? [];
}

const any = fc.string({ unit: 'grapheme', maxLength: 20 });
const nasty = fc
  .array(
    fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      "'",
      '"',
      ',',
      '\r',
      '\n',
      '\t',
      ' ',
      ';',
      '＝',
      'a',
      '\\',
      '{',
      '}',
      '[',
    ),
    {
      maxLength: 8,
    },
  )
  .map(signs => signs.join(''));
const text = fc.oneof(any, nasty);

describe('CSV', () => {
  it('any text is read back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), async rows => {
        const file = csvLine(['a', 'b']) + rows.map(csvLine).join('');
        const found = await read(csvRecords, file);
        const values = found.map(([, value]) => value as { a?: string; b?: string });
        expect(values.map(({ a = '', b = '' }) => [a, b])).toEqual(rows);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['=1+1', '+1', '-1', '@x', "'=1", "''=1", '\t=1', '＝1', '=cmd|x'])(
    'no spreadsheet treats %j as a formula',
    value => {
      const [cell = ''] = csvLine([value]).trimEnd().split(',');
      expect(cell.replace(/^"/, '')).toMatch(/^'/);
      expect(textOf(cell.replace(/^"|"$/g, ''))).toBe(value);
    },
  );

  it.each(["'tis", 'a=b', "'", "''", ' =1', '12'])('%j is written unchanged', value => {
    expect(csvLine([value]).trimEnd().replace(/^"|"$/g, '')).toBe(value);
    expect(textOf(value)).toBe(value);
  });

  it('lines are counted as in an editor', async () => {
    const file = 'a,b\r\n1,"x\r\ny"\r\n\r\n2,z\n3,"q"';
    expect(await read(csvRecords, file)).toEqual([
      [2, { a: '1', b: 'x\r\ny' }],
      [5, { a: '2', b: 'z' }],
      [6, { a: '3', b: 'q' }],
    ]);
    expect(await read(csvRecords, 'a\r1\r2')).toEqual([
      [2, { a: '1' }],
      [3, { a: '2' }],
    ]);
  });

  it.each([';', '\t'])('%j separates cells if it separates the column names', async sign => {
    const lines = [`"tag"${sign}name`, `a,b${sign}"c${sign}d"`, `${sign}e`, `1${sign}2${sign}3`];
    expect(await read(csvRecords, `\n${lines.join('\r\n')}`)).toEqual([
      [3, { tag: 'a,b', name: `c${sign}d` }],
      [4, { name: 'e' }],
      [5, 'This line has more cells than there are columns.'],
    ]);
  });

  it('a comma in a quoted column name separates nothing', async () => {
    expect(await read(csvRecords, '"a,b";c\n1;2')).toEqual([[2, { 'a,b': '1', c: '2' }]]);
    expect(await read(csvRecords, 'a')).toEqual([]);
    expect(await read(csvRecords, 'a\nx;y,z\n')).toEqual([
      [2, 'This line has more cells than there are columns.'],
    ]);
  });

  it('a CSV line with an error is reported, and the next one is read', async () => {
    const file = 'a,b\n"x"y,1\n2,3\n4,5,6\n7\n8,"9';
    expect(await read(csvRecords, file)).toEqual([
      [2, 'There is text after the closing quote of a cell.'],
      [3, { a: '2', b: '3' }],
      [4, 'This line has more cells than there are columns.'],
      [5, { a: '7' }],
      [6, 'The quote that opens here is never closed.'],
    ]);
    expect(await read(csvRecords, 'a,a\n1,2\n')).toEqual([
      [1, 'The column "a" appears twice.'],
      [2, { a: '2' }],
    ]);
  });
});

describe('JSON', () => {
  it.each([
    [
      'a list',
      '[{"a":1},\n{"a":2}]',
      [
        [1, { a: 1 }],
        [2, { a: 2 }],
      ],
    ],
    [
      'lines',
      '{"a":1}\n{"a":2}\r\n',
      [
        [1, { a: 1 }],
        [2, { a: 2 }],
      ],
    ],
    ['a list laid out', '[\n  {\n    "a": [1, {"b": 2}]\n  }\n]\n', [[2, { a: [1, { b: 2 }] }]]],
    ['an empty list', ' [ ] ', []],
    ['nothing', '', []],
  ])('%s is read', async (_, text, found) => {
    expect(await read(jsonRecords, text)).toEqual(found);
  });

  it('any objects are read back unchanged', async () => {
    const value = fc
      .record({ a: text, b: fc.jsonValue({ maxDepth: 2 }) })
      .filter(one => parseStrictJson(JSON.stringify(one)).ok);
    await fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 4 }), fc.constantFrom(0, 2), async (values, indent) => {
        const found = await read(jsonRecords, JSON.stringify(values, null, indent));
        expect(found.map(([, one]) => JSON.stringify(one))).toEqual(values.map(one => JSON.stringify(one)));
      }),
      { numRuns: 200 },
    );
  });

  it('a JSON line with an error is reported, and the next one is read', async () => {
    const file = '{"a":1}\n{"a":"x\n{"a":2}}\n{"a":1,"a":2}\nhello\n[7]\n{"a":1e999}\n{"a":3}\n';
    expect(await read(jsonRecords, file)).toEqual([
      [1, { a: 1 }],
      [2, 'This is not valid JSON.'],
      [3, { a: 2 }],
      [3, 'This is not a device.'],
      [4, 'A member appears twice.'],
      [5, 'This is not a device.'],
      [6, 'This is not a device.'],
      [7, 'A number has more digits than can be stored.'],
      [8, { a: 3 }],
      [9, 'The list is not closed: the file is incomplete.'],
    ]);
  });

  it('an error in a device of several lines is reported with its line', async () => {
    expect(await read(jsonRecords, '[\n{\n"a": 1,\n"b": 1e999\n}]')).toEqual([
      [4, 'A number has more digits than can be stored.'],
    ]);
    expect(await read(jsonRecords, '[\n{\n"a": 1,\n"b": nope\n}]')).toEqual([
      [2, 'The device that starts here is not valid JSON.'],
    ]);
  });

  it.each([
    [
      'in a list',
      '[{"a":1},\n',
      [
        [1, { a: 1 }],
        [2, 'The list is not closed: the file is incomplete.'],
      ],
    ],
    [
      'in a device',
      '[{"a":1},\n{"a":',
      [
        [1, { a: 1 }],
        [2, 'What starts here is never closed.'],
      ],
    ],
  ])('a file that is cut off %s is not accepted as complete', async (_, text, found) => {
    expect(await read(jsonRecords, text)).toEqual(found);
  });
});
