export const publicAliasMax = 63;

/** Letters, digits and inner hyphens: the alias becomes part of URLs. */
export const publicAliasPattern = /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/;

export function isPublicAlias(text: string): boolean {
  return text.length <= publicAliasMax && publicAliasPattern.test(text);
}
