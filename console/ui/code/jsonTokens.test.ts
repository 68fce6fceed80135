import { expect, it } from 'vitest';
import { jsonTokens } from './jsonTokens.ts';

it.each([
  ['  "a": {', ['blank   ', 'name "a"', 'mark :', 'blank  ', 'mark {']],
  ['"a\\"b:": "c: d",', ['name "a\\"b:"', 'mark :', 'blank  ', 'text "c: d"', 'mark ,']],
  ['-4.5e+3, true', ['figure -4.5e+3', 'mark ,', 'blank  ', 'figure true']],
  ['["a", 1]', ['mark [', 'text "a"', 'mark ,', 'blank  ', 'figure 1', 'mark ]']],
  ['', []],
])('%s is split into tokens without losing any text', (line, expected) => {
  const tokens = jsonTokens(line);
  expect(tokens.map(({ kind, text }) => `${kind} ${text}`)).toEqual(expected);
  expect(tokens.map(({ text }) => text).join('')).toBe(line);
});
