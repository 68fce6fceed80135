export const auth2FCodeLength = 6;

/** Spaces are removed, as authenticators show codes in groups. */
export function codeOf(typed: string): string {
  return typed.replace(/\s/g, '');
}
