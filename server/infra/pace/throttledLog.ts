import type { Log } from '#server/infra/log.ts';
import { RepeatThrottle } from './repeatThrottle.ts';

const seldomMs = 10_000;

/** Throttles log lines: when the database is unavailable, a thousand devices would cause the same line. */
export function throttledLog(log: Log): Log {
  const seldom = new RepeatThrottle(seldomMs);
  return (level, message, detail) => {
    if (seldom.isFirst(`${level} ${message}`, performance.now())) log(level, message, detail);
  };
}
