import type { Log } from '#server/log.ts';
import { Seldom } from '#server/pace/seldom.ts';

const seldomMs = 10_000;

/** Throttles log lines: when the database is unavailable, a thousand devices would cause the same line. */
export function seldomLog(log: Log): Log {
  const seldom = new Seldom(seldomMs);
  return (level, message, detail) => {
    if (seldom.isFirst(`${level} ${message}`, performance.now())) log(level, message, detail);
  };
}
