/** Copies the beginning of a string: a V8 slice would keep the whole string in memory. */
export function truncate(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : Buffer.from(text.slice(0, lengthMax)).toString();
}
