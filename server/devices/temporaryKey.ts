import { randomBytes, timingSafeEqual } from 'node:crypto';
import { temporaryKeyTtlS } from '#contract/device.ts';
import type { Platform } from '#server/platform.ts';

/** No device key begins so: they have letters and digits only. */
const begin = 'tmp.';
const nonceBytes = 9;
const tokenLengthMax = 200;

export interface TemporaryKey {
  deviceId: string;
  expiresAt: Date;
}

/** A key that says itself whose it is and until when, signed: nothing of it is stored. */
export function makeTemporaryKey(
  { sealing }: Pick<Platform, 'sealing'>,
  deviceId: string,
  now: Date,
): { token: string; expiresAt: Date } {
  const untilS = Math.floor(now.getTime() / 1000) + temporaryKeyTtlS;
  const said = `${begin}${deviceId}.${untilS.toString(36)}.${randomBytes(nonceBytes).toString('base64url')}`;
  return { token: `${said}.${signature(sealing, said)}`, expiresAt: new Date(untilS * 1000) };
}

/** What a temporary key of ours says while it holds; undefined for all else. */
export function verifyTemporaryKey(
  { sealing, clock }: Pick<Platform, 'sealing' | 'clock'>,
  token: string,
): TemporaryKey | undefined {
  if (!isTemporary(token) || token.length > tokenLengthMax) return undefined;
  const end = token.lastIndexOf('.');
  const said = token.slice(0, end);
  const given = Buffer.from(token.slice(end + 1));
  const expected = Buffer.from(signature(sealing, said));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const [, deviceId = '', until = ''] = said.split('.');
  const expiresAt = new Date(Number.parseInt(until, 36) * 1000);
  return expiresAt > clock() ? { deviceId, expiresAt } : undefined;
}

export const isTemporary = (key: string) => key.startsWith(begin);

/** The words before keep it from being taken for any other hash under the same key. */
function signature(sealing: Platform['sealing'], said: string): string {
  return sealing.mac(`temporary device key ${said}`).toString('base64url');
}
