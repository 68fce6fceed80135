import { expect, it } from 'vitest';
import { faultSentence } from './faultSentence.ts';

it.each([
  ['/celsius', 'maximum', { limit: 30 }, 'celsius must be at most 30.'],
  ['/fan/speeds/0', 'minimum', { limit: 1 }, 'fan.speeds[0] must be at least 1.'],
  ['/0/name', 'type', { type: 'string' }, '0.name must be a string.'],
  ['', 'type', { type: 'object' }, 'The message must be an object.'],
  ['/n', 'type', { type: ['integer', 'null'] }, 'n must be a whole number or null.'],
  ['', 'required', { missingProperty: 'celsius' }, 'celsius is required.'],
  ['/fan', 'required', { missingProperty: 'on' }, 'fan.on is required.'],
  ['', 'dependentRequired', { property: 'a', missingProperty: 'b' }, 'b is required with a.'],
  ['/fan', 'additionalProperties', { additionalProperty: 'a/b' }, 'fan.a/b is not allowed.'],
  ['/a~1b', 'false schema', {}, 'a/b is not allowed.'],
  ['/mode', 'enum', { allowedValues: ['off', 1] }, 'mode must be one of "off", 1.'],
  ['/mode', 'const', { allowedValue: 'off' }, 'mode must be "off".'],
  ['/name', 'maxLength', { limit: 1 }, 'name must have at most 1 character.'],
  ['/days', 'contains', { minContains: 1 }, 'days must contain an item that matches its schema.'],
  ['/serial', 'pattern', { pattern: '^A' }, 'serial must match the pattern ^A.'],
])('%s that violates %s is named in a sentence', (at, keyword, params, text) => {
  expect(faultSentence({ at, keyword, params })).toBe(text);
});

it('an unknown keyword keeps the message of the validator', () => {
  expect(faultSentence({ at: '/a', keyword: 'then', params: {}, message: 'must match "then" schema' })).toBe(
    'a must match "then" schema.',
  );
});

it('a sentence is never longer than three hundred characters', () => {
  const allowedValues = Array.from({ length: 500 }, (_, i) => `value ${i}`);
  const text = faultSentence({ at: '/mode', keyword: 'enum', params: { allowedValues } });
  expect([text.length, text.at(-1)]).toEqual([300, '.']);
});
