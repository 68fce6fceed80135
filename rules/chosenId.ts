export const idMax = 63;

const pattern = /^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?$/;

/** An id that a developer chooses: letters, digits, inner hyphens and underscores. */
export function isChosenId(text: string): boolean {
  return text.length <= idMax && pattern.test(text);
}
