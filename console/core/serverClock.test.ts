import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { sourceFiles } from '#test/architecture/sourceFiles.ts';

vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') });
const { compareClocks, serverNow } = await import('./serverClock.ts');

/** An answer that took some time, from a server whose clock is ahead by `aheadMs`. */
function answered(aheadMs: number, tookMs = 80): void {
  const sentAt = Date.now();
  const date = new Date(sentAt + tookMs / 2 + aheadMs).toUTCString();
  vi.advanceTimersByTime(tookMs);
  compareClocks(new Headers({ date, 'x-request-id': 'req_1' }), { sentAt, answeredAt: Date.now() });
}
afterEach(() => answered(0));
afterAll(() => {
  vi.useRealTimers();
});

const aheadMs = () => serverNow() - Date.now();

it.each([
  ['31 days behind', -31 * 86_400_000],
  ['ten minutes ahead', 600_000],
])('a server whose clock is %s is followed to the second', (_, ms) => {
  answered(ms);
  expect(Math.abs(aheadMs() - ms)).toBeLessThan(1000);
  const first = aheadMs();
  // Later answers, also slow ones, do not make the time jump.
  for (const tookMs of [5, 900, 4000]) answered(ms, tookMs);
  expect(aheadMs()).toBe(first);
});

it('a clock that has been corrected is trusted again', () => {
  answered(600_000);
  answered(0);
  expect(aheadMs()).toBe(0);
});

it('an answer without a time says nothing', () => {
  compareClocks(new Headers({ 'x-request-id': 'req_1' }), { sentAt: 0, answeredAt: 0 });
  expect(aheadMs()).toBe(0);
});

it('what answers in place of the server does not set the clock', () => {
  const at = Date.now();
  const date = new Date(at + 31 * 86_400_000).toUTCString();
  compareClocks(new Headers({ date }), { sentAt: at, answeredAt: at });
  expect(aheadMs()).toBe(0);
});

/** They measure how long something takes on this computer. */
const local = [
  'console/core/client.ts',
  'console/core/live/useDevicesLive.ts',
  'console/core/live/live.ts',
  'console/core/live/useServerWatch.ts',
  'console/core/serverClock.ts',
];

it('the console asks the clock of the server for the time', () => {
  const asking = sourceFiles
    .filter(({ path }) => path.startsWith('console/') && !/\.test\.tsx?$/.test(path))
    .filter(({ text }) => /\bDate\.now\(\)|\bnew Date\(\)/.test(text));
  expect(asking.map(({ path }) => path).toSorted()).toEqual(local.toSorted());
});
