/** spec §9 */
export const auth2FCodeLength = 6;

/** spec §5: spaces are removed, as authenticators show codes in groups. */
export function codeOf(typed: string): string {
  return typed.replace(/\s/g, '');
}
