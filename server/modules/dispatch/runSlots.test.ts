import { afterEach, expect, it, vi } from 'vitest';
import { RunSlots } from './runSlots.ts';

afterEach(() => vi.useRealTimers());

it('slow runs give up their slots only while the states that they hold fit into memory', () => {
  vi.useFakeTimers();
  let freed = 0;
  const slots = new RunSlots(() => freed++);
  const large = Array.from({ length: 20 }, () => slots.take('prj_large'));
  for (const slot of large) slot.holds(1024 * 1024);
  vi.advanceTimersByTime(2_000);
  expect(freed).toBe(16);
  for (const slot of large) slot.leave();
  slots.take('prj_large').holds(1024 * 1024);
  slots.take('prj_small').holds(100);
  vi.advanceTimersByTime(2_000);
  expect(freed).toBe(18);
});
