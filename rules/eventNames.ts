export const eventNameMax = 100;

/**
 * An event or command name: words of letters and digits separated by single `-` or `_`, optionally wrapped in
 * underscores. Each part ends where the next begins, so that matching takes linear time.
 */
export const eventNamePattern =
  /^(?:[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*|_[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*_)$/;

export function isEventName(text: string): boolean {
  return text.length <= eventNameMax && eventNamePattern.test(text);
}
