import { createPublicKey, verify } from 'node:crypto';
import type { Component } from '#contract/component.ts';
import type { Signature } from '#contract/componentVersion.ts';
import { type SignedVersion, signedVersion } from '#rules/signedVersion.ts';

/** Whether the signature was made by one of the keys over exactly this. */
export function isSignedBy(
  keys: Component['signingKeys'],
  signature: Signature | undefined,
  signed: SignedVersion,
): boolean {
  const key = keys.find(({ id }) => id === signature?.keyId);
  if (!key || !signature) return false;
  const x = Buffer.from(key.publicKey, 'base64').toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = Buffer.from(signedVersion(signed));
  return verify(null, text, publicKey, Buffer.from(signature.value, 'base64'));
}
