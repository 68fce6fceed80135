import type { Log } from '#server/log.ts';
import { Seldom } from '#server/pace/seldom.ts';

const seldomMs = 10_000;

/** Tells the same of a thousand devices once: where the database is away, each of them would complain. */
export function seldomLog(log: Log): Log {
  const seldom = new Seldom(seldomMs);
  return (level, message, detail) => {
    if (seldom.isFirst(`${level} ${message}`, performance.now())) log(level, message, detail);
  };
}
