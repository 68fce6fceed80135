/**
 * The beginning of a text, as the platform accepts it: without a NUL or half a surrogate pair, which the cut itself may
 * leave at the end of an emoji.
 */
export function shortText(text: string, lengthMax: number): string {
  const isCut = text.length > lengthMax;
  const start = text.slice(0, lengthMax);
  return (isCut ? start.replace(/[\ud800-\udbff]$/, '') : start).toWellFormed().replaceAll('\0', '\ufffd');
}
