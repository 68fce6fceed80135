import { expect, test } from 'vitest';
import { valueFault } from './valueFault.ts';

test.each([
  ['', 'INVALID_JSON'],
  ['  ', 'INVALID_JSON'],
  ['{', 'INVALID_JSON'],
  ['null', 'NULL_VALUE'],
  ['0', undefined],
  ['""', undefined],
])('the value %j of a pair is refused as %s', (value, code) => {
  expect(valueFault(value).value).toBe(code);
});
