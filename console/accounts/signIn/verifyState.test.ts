import { expect, test } from 'vitest';
import { titleOf } from './verifyState.ts';

test('a link is called broken only if it is', () => {
  expect(titleOf('INVALID_LINK', undefined)).toBe('This link does not work');
  expect(titleOf('INVALID_LINK', 'INVALID_LINK')).toBe('This link does not work');
  expect(titleOf('INVALID_LINK', 'CONNECTION_ERROR')).toBe('Your e-mail could not be verified');
  expect(titleOf('INVALID_LINK', 'TOO_MANY_REQUESTS')).toBe('Your e-mail could not be verified');
});
