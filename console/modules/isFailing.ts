import { minuteMs } from '#rules/time/durations.ts';

/** A single failed attempt among many that succeed says little: it is retried within this time. */
const failingAfterMs = minuteMs;

/** Whether the attempts of a module have failed for long enough to say so. */
export const isFailing = (failingSince: string | undefined, now: number): failingSince is string =>
  failingSince !== undefined && now - Date.parse(failingSince) >= failingAfterMs;
