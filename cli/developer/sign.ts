import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Component } from '#contract/component.ts';
import type { Signature } from '#contract/componentVersion.ts';
import { type SignedVersion, signedVersion } from '#rules/firmware/signedVersion.ts';
import { exits, Failed, UsageFault } from './command.ts';

export interface Signer {
  keyId: string;
  key: KeyObject;
}

/**
 * Reads the private key from a file, which must match a signing key of the component; undefined if none is given and
 * none is required. Checked before anything is sent.
 */
export function signerFor(
  { name, signingKeys }: Pick<Component, 'name' | 'signingKeys'>,
  path: string | undefined,
) {
  if (path === undefined) {
    if (signingKeys.length === 0) return undefined;
    throw new Failed(
      exits.refused,
      'SIGNATURE_INVALID',
      `Versions of ${name} must be signed. Pass the file with the private key as --sign-key.`,
    );
  }
  const key = readKey(path);
  const publicKey = publicKeyOf(key);
  const known = signingKeys.find(one => one.publicKey === publicKey);
  if (known) return { keyId: known.id, key };
  throw new Failed(
    exits.refused,
    'SIGNATURE_INVALID',
    `${path} is not a signing key of ${name}. Add its public key to the component first: ${publicKey}`,
  );
}

export function signatureBy({ keyId, key }: Signer, version: SignedVersion): Signature {
  return { keyId, value: sign(null, Buffer.from(signedVersion(version)), key).toString('base64') };
}

function readKey(path: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(path));
  } catch (error) {
    throw new UsageFault(
      `${path} is not a private key in PEM: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new UsageFault(`${path} is not an Ed25519 key.`);
  return key;
}

/** The 32 bytes of the public key, in base64. */
function publicKeyOf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}
