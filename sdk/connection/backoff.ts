import { minuteMs } from '#rules/time/durations.ts';

const quick = { firstMs: 2_000, mostMs: minuteMs };
/** For failures where retrying will hardly help until somebody changes something. */
const slow = { firstMs: 30_000, mostMs: 10 * minuteMs };

/**
 * How long to wait after this many failed attempts. The maximum doubles each time, and the delay is random (jitter):
 * ten thousand devices that lost the same gateway do not reconnect at the same instant.
 */
export function backoffMs(failures: number, isSlow: boolean): number {
  const { firstMs, mostMs } = isSlow ? slow : quick;
  const span = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 20));
  return Math.round(isSlow ? span * (0.5 + Math.random() / 2) : span * Math.random());
}
