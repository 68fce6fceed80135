import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noAnswerCame } from '#contract/client.ts';
import { Unanswered } from './unanswered.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a call that got no answer is the same call only for a while, and only once', async () => {
  const unanswered = new Unanswered();
  const keys: string[] = [];
  const call = (isLost: boolean, what = 'blink') =>
    unanswered
      .once(what, 60_000, async key => {
        keys.push(key);
        if (isLost) throw noAnswerCame();
      })
      .catch(() => undefined);
  await call(true);
  await call(true, 'open');
  vi.advanceTimersByTime(59_000);
  await call(true);
  await call(false);
  await call(true);
  vi.advanceTimersByTime(61_000);
  await call(false);
  const [first, other, again, answered, next, late] = keys;
  expect([again, answered]).toEqual([first, first]);
  expect(new Set([first, other, next, late]).size).toBe(4);
});
