import { expect, it } from 'vitest';
import { reasons } from '#contract/problem.ts';
import { failureText } from './failureText.ts';

const [, message] = reasons.TOO_MANY_REQUESTS;

it.each([
  [{ reason: 'TOO_MANY_REQUESTS', message, retryAfterS: 20 }, 'Too many requests. Try again in 20 seconds.'],
  [
    { reason: 'TOO_MANY_REQUESTS', message: 'Too many attempts. Try again in 1 second.', retryAfterS: 1 },
    'Too many attempts. Try again in 1 second.',
  ],
  [{ reason: 'UNAVAILABLE', message: 'Away.', retryAfterS: 5 }, 'Away.'],
])('%j says how long to wait', (failure, text) => {
  expect(failureText(failure)).toBe(text);
});
