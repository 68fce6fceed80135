import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLocalBus } from '#server/infra/bus/bus.ts';
import { publishAlerts } from './publishAlerts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a flood of alerts causes one notice, and one more for alerts just before it', () => {
  const bus = createLocalBus(() => undefined);
  const told = { prj_1: 0, prj_2: 0 };
  bus.subscribe('project prj_1', () => (told.prj_1 += 1));
  bus.subscribe('project prj_2', () => (told.prj_2 += 1));
  publishAlerts({ bus }, 'prj_1');
  vi.advanceTimersByTime(499);
  for (let alert = 0; alert < 10; alert++) publishAlerts({ bus }, 'prj_1');
  publishAlerts({ bus }, 'prj_2');
  vi.advanceTimersByTime(1);
  expect(told).toEqual({ prj_1: 1, prj_2: 0 });
  vi.advanceTimersByTime(500);
  expect(told).toEqual({ prj_1: 2, prj_2: 1 });
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual({ prj_1: 2, prj_2: 1 });
});
