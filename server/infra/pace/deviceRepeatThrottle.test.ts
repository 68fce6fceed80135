import { expect, it } from 'vitest';
import { DeviceRepeatThrottle } from './deviceRepeatThrottle.ts';

it('the first message of a kind is let through, and another one after the interval', () => {
  const seldom = new DeviceRepeatThrottle(1_000);
  expect([0, 1, 999, 1_000, 1_001].map(ms => seldom.isFirst('a', 'x', ms))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(seldom.isFirst('a', 'y', 1_001)).toBe(true);
});

it('a device with many kinds is limited, and does not evict another device', () => {
  const seldom = new DeviceRepeatThrottle(1_000);
  seldom.isFirst('other', 'x', 0);
  const told = Array.from({ length: 60_000 }, (_, i) => seldom.isFirst('a', `kind ${i}`, 0));
  expect(told.filter(Boolean)).toHaveLength(100);
  expect(seldom.isFirst('other', 'x', 1)).toBe(false);
  expect(seldom.isFirst('a', 'late', 1_000)).toBe(true);
});

it('devices are forgotten after the interval, and when there are too many', () => {
  const seldom = new DeviceRepeatThrottle(1_000);
  for (let i = 0; i < 60_000; i++) seldom.isFirst(`dev_${i}`, 'x', i / 1_000);
  expect(seldom.size).toBe(50_000);
  seldom.isFirst('late', 'x', 5_000);
  expect(seldom.size).toBe(1);
});
