import { domainToASCII } from 'node:url';

/**
 * One spelling for an address: NFKC, lower case, the domain in ASCII. Dots and plus tags are kept: they can belong to
 * different people.
 */
export function normalEmail(given: string): string {
  const text = given.trim().normalize('NFKC').toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = domainToASCII(text.slice(at + 1));
  return domain ? `${text.slice(0, at)}@${domain}` : text;
}
