import { randomBytes, timingSafeEqual } from 'node:crypto';
import { temporaryKeyTtlS } from '#rules/devices/deviceKey.ts';
import type { Platform } from '#server/infra/platform.ts';

/** Cannot begin a device key, which consists of letters and digits. */
const begin = 'tmp.';
const nonceBytes = 9;
const tokenLengthMax = 200;

/**
 * A signed token with device id and expiry. The signature includes the hash of the API key, so nothing is
 * stored and rotating the key revokes it.
 */
export function makeTemporaryKey(
  { sealing }: Pick<Platform, 'sealing'>,
  { id, keyHash }: { id: string; keyHash: Buffer },
  now: Date,
): { token: string; expiresAt: Date } {
  const untilS = Math.floor(now.getTime() / 1000) + temporaryKeyTtlS;
  const said = `${begin}${id}.${untilS.toString(36)}.${randomBytes(nonceBytes).toString('base64url')}`;
  return { token: `${said}.${signature(sealing, said, keyHash)}`, expiresAt: new Date(untilS * 1000) };
}

/** Which API key the token was derived from, and its expiry; undefined if it was not issued by us. */
export function verifyTemporaryKey(
  { sealing }: Pick<Platform, 'sealing'>,
  { id, hashes }: { id: string; hashes: readonly Buffer[] },
  token: string,
): { keyHash: Buffer; until: Date } | undefined {
  if (!isTemporary(token) || token.length > tokenLengthMax) return undefined;
  const end = token.lastIndexOf('.');
  const said = token.slice(0, end);
  const given = Buffer.from(token.slice(end + 1));
  const keyHash = hashes.find(hash => {
    const expected = Buffer.from(signature(sealing, said, hash));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  const [, deviceId, untilS = ''] = said.split('.');
  const until = new Date(Number.parseInt(untilS, 36) * 1000);
  return keyHash && deviceId === id ? { keyHash, until } : undefined;
}

export const isTemporary = (key: string) => key.startsWith(begin);

/** Domain separation: the signature cannot be mistaken for another use of the same secret. */
function signature(sealing: Platform['sealing'], said: string, keyHash: Buffer): string {
  return sealing.mac(`temporary device key ${said} ${keyHash.toString('hex')}`).toString('base64url');
}
