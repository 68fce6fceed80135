import { expect, it } from 'vitest';
import { formatJson } from './formatJson.ts';

it.each([
  ['{"a":1,"b":[true,null]}', '{\n  "a": 1,\n  "b": [\n    true,\n    null\n  ]\n}'],
  [' { } ', '{}'],
  ['[[],{}]', '[\n  [],\n  {}\n]'],
  ['{"a":{},"b":{"c":[]}}', '{\n  "a": {},\n  "b": {\n    "c": []\n  }\n}'],
  ['12345678901234567890.50', '12345678901234567890.50'],
  ['"a, {b}: \\"c\\" [ ]"', '"a, {b}: \\"c\\" [ ]"'],
  ['', ''],
])('%s is formatted by changing only whitespace', (text, formatted) => {
  expect(formatJson(text)).toBe(formatted);
});

it('formatting is idempotent and preserves the value', () => {
  const value = { a: [1, { b: 'x: [', c: [[], [{}]] }], d: { e: null } };
  const once = formatJson(JSON.stringify(value));
  expect(formatJson(once)).toBe(once);
  expect(once).toBe(JSON.stringify(value, null, 2));
});
