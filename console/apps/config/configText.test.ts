import { expect, test } from 'vitest';
import { configBytes, configFault, configOf, textOfConfig } from './configText.ts';

test.each([
  ['', undefined],
  ['  \n', undefined],
  ['{"a": 1}', undefined],
  ['{"a": 1,}', 'INVALID_JSON'],
  ['{"a": 1, "a": 2}', 'INVALID_JSON'],
  ['[]', 'INVALID_OBJECT'],
  ['null', 'INVALID_OBJECT'],
  ['"x"', 'INVALID_OBJECT'],
  [`{"a": "${'x'.repeat(65_536)}"}`, 'TOO_LARGE'],
])('the fault of the config %.20s', (text, fault) => {
  expect(configFault(text)).toBe(fault);
});

test('an empty text is the empty config, and the reverse', () => {
  expect(configOf(' ')).toEqual({});
  expect(textOfConfig({})).toBe('');
});

test('the size is that of the request, in bytes', () => {
  expect(configBytes('{ "a" : "ä" }')).toBe(10);
  expect(configBytes('')).toBe(2);
});
