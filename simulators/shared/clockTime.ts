const time = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** `14:02:11.482`, in the zone of whoever looks. */
export function clockTime(at: Date): string {
  return time.format(at);
}
