import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MyHome } from '#contract/appApi/home.ts';
import { GuestWatch } from './guestWatch.ts';

const now = Date.UTC(2026, 10, 30, 12);
const at = (ms: number) => new Date(now + ms).toISOString();
const devices = [{ deviceId: 'dev_1', mayControl: false }];
const home = (guest: MyHome['guest']) => ({ guest, timeZone: 'Europe/Oslo' }) as MyHome;

beforeEach(() => {
  vi.useFakeTimers({ now });
});
afterEach(() => {
  vi.useRealTimers();
});

/** How long it took the watch to report that the guest's access had begun or ended. */
function turnedAfterMs(guest: MyHome['guest'], isOpen: boolean, ms: number): number | undefined {
  let turned: number | undefined;
  const watch = new GuestWatch(() => {
    turned = Date.now() - now;
  });
  watch.follow(home(guest), isOpen);
  vi.advanceTimersByTime(ms);
  watch.stop();
  return turned;
}

it.each([
  ['begins', { devices, from: at(5_000) }, false, 5_000],
  ['begins much later', { devices, from: at(100_000) }, false, 100_000],
  ['ends', { devices, until: at(7_000) }, true, 7_000],
  // It is 13:00 in Oslo.
  ['ends for this day', { devices, weekly: { days: [1], from: '08:00', to: '13:01' } }, true, 60_000],
])('when the time of a guest %s, that is said then', (_, guest, isOpen, ms) => {
  expect(turnedAfterMs(guest, isOpen, 3_600_000)).toBe(ms);
});

it.each([
  ['a member', undefined],
  ['a guest without an end', { devices }],
  ['a guest of no device', { devices: [], until: at(1_000) }],
])('%s waits for nothing', (_, guest) => {
  expect(turnedAfterMs(guest, true, 3_600_000)).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

it('a stopped watch reports nothing', () => {
  const turned = vi.fn();
  const watch = new GuestWatch(turned);
  watch.follow(home({ devices, until: at(1_000) }), true);
  watch.stop();
  vi.advanceTimersByTime(60_000);
  expect(turned).not.toHaveBeenCalled();
});
