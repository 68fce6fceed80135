/** "1 h", "30 min", "2 days" */
export function secondsText(seconds: number): string {
  if (seconds === 0) return 'none';
  if (seconds % 86_400 === 0) return seconds === 86_400 ? '1 day' : `${seconds / 86_400} days`;
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
