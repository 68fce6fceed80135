import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { json } from './json.ts';

/** Every fault as `from-to message`. */
function faultsOf(doc: string): string[] {
  const state = EditorState.create({ doc, extensions: json.extension(() => []) });
  return (json.faults?.(state) ?? []).map(({ from, to, message }) => `${from}-${to} ${message}`);
}

it.each([
  ['an object', '{"a": [1, "b", null]}'],
  ['nothing, which is for the form to judge', ' \n'],
])('%s has no fault', (_, text) => {
  expect(faultsOf(text)).toEqual([]);
});

it.each([
  ['a comma too many', '{"a": 1,}', '8-9 This is not valid JSON.'],
  ['a value that is missing', '{"a": }', '6-7 This is not valid JSON.'],
  ['a comment', '{} // a', '3-4 This is not valid JSON.'],
  ['words', 'abc', '0-1 This is not valid JSON.'],
  ['an end that is missing', '{"a": 1', '6-7 This is not valid JSON.'],
  ['a key that stands twice', '{"a": 1, "a": 2}', '9-10 This key appears twice in its object.'],
  [
    'a number that would change',
    '[1, 12345678901234567890]',
    '4-5 This number would lose precision. Write it as a string.',
  ],
])('%s is marked in the right place', (_, text, fault) => {
  expect(faultsOf(text)).toEqual([fault]);
});
