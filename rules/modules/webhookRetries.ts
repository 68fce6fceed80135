import { hourS, minuteS } from '../time/durations.ts';

/** The delay before each attempt of a webhook, in seconds. */
export const webhookAttemptsAfterS = [
  0,
  5,
  5 * minuteS,
  30 * minuteS,
  2 * hourS,
  5 * hourS,
  10 * hourS,
] as const;
