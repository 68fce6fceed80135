import { expect, it } from 'vitest';
import { compactJson } from './compactJson.ts';
import { textOfJson } from './jsonText.ts';

it.each([
  ['words', { required: ['a', 'b'] }, '{ "required": ["a", "b"] }'],
  ['one member', { properties: { on: { type: 'boolean' }, n: { type: 'number', minimum: 5 } } }, undefined],
  [
    'brackets in texts',
    { pattern: '[', other: ['{', ']'] },
    '{\n  "pattern": "[",\n  "other": ["{", "]"]\n}',
  ],
  ['nothing', { a: {}, b: [] }, '{\n  "a": {},\n  "b": []\n}'],
])('short JSON is shown on one line, with the same value: %s', (_, value, text) => {
  const compact = compactJson(textOfJson(value));
  expect(JSON.parse(compact)).toEqual(value);
  if (text) expect(compact).toBe(text);
  else expect(compact).toContain('"on": { "type": "boolean" },\n    "n": {\n');
});

it('JSON that is longer than a line of the panel stays on several', () => {
  const text = textOfJson({ enum: Array.from({ length: 12 }, (_, i) => `choice ${i}`) });
  expect(compactJson(text)).toBe(text);
});
