import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { SignatureAlgorithm } from '#contract/proxyRoute.ts';
import type { Platform } from '#server/infra/platform.ts';

export interface NewKey {
  keyId: string;
  algorithm: SignatureAlgorithm;
  /** The secret of an HMAC, or an Ed25519 private key as PEM. */
  sealed: Buffer;
}

export type SealedKey = NewKey;

const secretBytes = 32;

export function newSigningKey(
  { newId, sealing }: Pick<Platform, 'newId' | 'sealing'>,
  algorithm: SignatureAlgorithm,
): NewKey {
  const text = algorithm === 'ed25519' ? newPrivateKey() : randomBytes(secretBytes).toString('base64url');
  return { keyId: newId('prk'), algorithm, sealed: sealing.seal(text) };
}

function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The key that a back end needs to verify signatures. */
export function shownKey({ sealing }: Pick<Platform, 'sealing'>, { keyId, algorithm, sealed }: SealedKey) {
  if (algorithm === 'hmac-sha256') return { keyId, algorithm, secret: sealing.open(sealed) };
  const publicKey = publicKeyOf({ sealing }, sealed).export({ type: 'spki', format: 'pem' }).toString();
  return { keyId, algorithm, publicKey };
}

function publicKeyOf({ sealing }: Pick<Platform, 'sealing'>, sealed: Buffer): KeyObject {
  return createPublicKey(createPrivateKey(sealing.open(sealed)));
}
