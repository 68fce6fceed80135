export const eventNameMax = 100;

/** Words of letters and digits with single `-` or `_` between; each part ends where the next one begins: linear. */
const plain = /^[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*$/;

/** An event's or a command's name: as above, or the same wrapped in underscores. */
export function isEventName(text: string): boolean {
  if (text.length > eventNameMax) return false;
  const wrapped = text.length > 2 && text.startsWith('_') && text.endsWith('_');
  return plain.test(wrapped ? text.slice(1, -1) : text);
}
