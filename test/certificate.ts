import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { dayMs } from '#rules/time/durations.ts';

export interface Certificate {
  key: string;
  cert: string;
}

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const ecdsaWithSha256 = hex('300a 0608 2a8648ce3d040302');
const commonName = hex('0603 550403');
const subjectAltName = hex('0603 551d11');

/** A self-signed certificate for these names; to be trusted, it must be passed as a CA. */
export function aCertificate(names: readonly string[], { validDays = 1 } = {}): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const who = der(0x30, der(0x31, der(0x30, commonName, der(0x0c, Buffer.from('A test')))));
  const until = Date.now() + validDays * dayMs;
  const valid = der(0x30, time(until - 2 * dayMs), time(until));
  const alternatives = der(0x30, ...names.map(name => der(0x82, Buffer.from(name))));
  const extensions = der(0xa3, der(0x30, der(0x30, subjectAltName, der(0x04, alternatives))));
  const serial = der(0x02, Buffer.from([1, ...randomBytes(8)]));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const version3 = hex('a003 0201 02');
  const body = der(0x30, version3, serial, ecdsaWithSha256, who, valid, who, key, extensions);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(der(0x30, body, ecdsaWithSha256, signature)),
  };
}

/** Tag, length, value. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), value]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 255]), value]);
}

function time(ms: number): Buffer {
  return der(0x18, Buffer.from(`${new Date(ms).toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`));
}

function pem(bytes: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
}
