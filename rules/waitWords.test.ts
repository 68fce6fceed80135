import { expect, test } from 'vitest';
import { waitWords } from './waitWords.ts';

test.each([
  [1, '1 second'],
  [5, '5 seconds'],
  [90, '2 minutes'],
  [120, '2 minutes'],
  [900, '15 minutes'],
  [7200, '2 hours'],
])('a wait of %d seconds is shown as %s', (seconds, words) => {
  expect(waitWords(seconds)).toBe(words);
});
