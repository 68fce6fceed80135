import { dayS, minuteS } from '../time/durations.ts';

/**
 * When a device is quiet by its own rhythm. The rhythm is learned from the times between its messages: a moving average,
 * and the longest one, which is forgotten slowly, so that a device that sleeps at night is not quiet at night.
 */
export const quietDevice = {
  /** A device is judged once this many times between messages are known, over at least this long. */
  gapsMin: 30,
  learnedForS: dayS,
  /** It is quiet after this many times the longest time between messages, and never before the minimum. */
  longestTimes: 3,
  silenceMinS: 15 * minuteS,
  /** A new time between messages counts this much in the average. */
  newestShare: 0.1,
  /** The longest time between messages is halved once the device has gone on for this long. */
  halvedAfterS: 7 * dayS,
} as const;
