/**
 * Finds a time zone by its IANA name, in canonical spelling; undefined if there is none, or if the name is only an
 * offset.
 */
export function timeZoneNamed(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // An alias of the same zone is kept as given.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return undefined;
  }
}
