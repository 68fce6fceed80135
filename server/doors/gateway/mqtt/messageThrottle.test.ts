import { expect, it } from 'vitest';
import { Buckets, TokenBucket } from '#server/infra/pace/tokenBucket.ts';
import { Throttle } from './messageThrottle.ts';

const rate = { perS: 20, burst: 100 };

/** Sends as soon as the throttle allows, until `untilS`; returns the second in which it is found overdue. */
function overdueAt(sends: (ms: number) => boolean, untilS: number, isPatient = false): number | undefined {
  const bucket = new TokenBucket(rate, 0);
  const throttle = new Throttle();
  let freeMs = 0;
  for (let ms = 0; ms < untilS * 1000; ms++) {
    if (ms >= freeMs) throttle.release();
    while (!throttle.isHolding && sends(ms)) freeMs = ms + throttle.count(bucket, ms, isPatient);
    if (ms % 1000 === 999 && throttle.isOverdue(bucket, ms)) return Math.floor(ms / 1000);
  }
  return undefined;
}

it('a connection that exceeds its rate for ten seconds is overdue', () => {
  expect(overdueAt(() => true, 30)).toBe(10);
});

it('a connection that awaits acknowledgements is held back for as long as necessary, and never overdue', () => {
  expect(overdueAt(() => true, 120, true)).toBeUndefined();
});

it('a connection that is quiet after a burst is not overdue', () => {
  let left = 110;
  expect(overdueAt(() => left-- > 0, 60)).toBeUndefined();
});

it('a bucket is only dropped when it is full', () => {
  const buckets = new Buckets();
  const bucket = buckets.of('a', rate, 0);
  for (let i = 0; i < 100; i++) bucket.take(0);
  expect(buckets.of('b', rate, 1_000).waitMs(1_000)).toBe(0);
  expect(buckets.of('a', rate, 1_000)).toBe(bucket);
  for (let i = 0; i < 10_000; i++) buckets.of(`c ${i}`, rate, 1_000);
  expect(buckets.of('a', rate, 1_000)).toBe(bucket);
  expect(buckets.size).toBe(1);
  for (let i = 0; i < 60_000; i++) buckets.of(`d ${i}`, rate, 1_000).take(1_000);
  expect(buckets.size).toBe(50_000);
  buckets.of('e', rate, 60_000);
  expect(buckets.size).toBeLessThanOrEqual(1);
});
