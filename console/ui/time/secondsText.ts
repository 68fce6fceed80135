import { dayS, hourS } from '#rules/time/durations.ts';

/** "1 h", "30 min", "2 days" */
export function secondsText(seconds: number): string {
  if (seconds === 0) return 'none';
  if (seconds % dayS === 0) return seconds === dayS ? '1 day' : `${seconds / dayS} days`;
  if (seconds % hourS === 0) return `${seconds / hourS} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
