import { expect, it } from 'vitest';
import { isFailing } from './isFailing.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

it.each([
  ['never', undefined, false],
  ['just now', '2026-11-20T12:00:00.000Z', false],
  ['for 59 s', '2026-11-20T11:59:01.000Z', false],
  ['for a minute', '2026-11-20T11:59:00.000Z', true],
])('a module whose attempts failed %s', (_, since, is) => {
  expect(isFailing(since, now)).toBe(is);
});
