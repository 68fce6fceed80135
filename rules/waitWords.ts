/** How long to wait, as readable text: "5 seconds", "2 minutes". */
export function waitWords(seconds: number): string {
  if (seconds < 90) return counted(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour');
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
