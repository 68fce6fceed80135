import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { tokenPrefix } from '#contract/accessToken.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 238 random bits. */
const randomLength = 40;
/** Number of digits for 32 bits. */
const checkLength = 6;
/** Length of the beginning that may be shown later. */
const startLength = tokenPrefix.length + 4;

const shape = new RegExp(`^${tokenPrefix}[0-9A-Za-z]{${randomLength + checkLength}}$`);

/**
 * A new token: a prefix by which scanners of source code find it, random digits, and a checksum that distinguishes a
 * token from other text without querying the database.
 */
export function newTokenSecret(): string {
  const random = Array.from({ length: randomLength }, () => digits[randomInt(digits.length)]).join('');
  return tokenPrefix + random + checksum(random);
}

/** Whether `newTokenSecret` made this text, without truncation or typos since. */
export function isTokenSecret(text: string): boolean {
  if (!shape.test(text)) return false;
  const end = text.length - checkLength;
  return checksum(text.slice(tokenPrefix.length, end)) === text.slice(end);
}

export const startOfSecret = (secret: string) => secret.slice(0, startLength);

/** In base 62, because scanners expect a token to be a single word. */
function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let i = 0; i < checkLength; i += 1) {
    text = digits[rest % digits.length] + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}
