import { createPublicKey, verify } from 'node:crypto';
import type { Component } from '#contract/component.ts';
import type { ComponentVersion, Signature } from '#contract/componentVersion.ts';
import { type SignedVersion, signedVersion } from '#rules/firmware/signedVersion.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

type Signed = Pick<
  ComponentVersion,
  'projectId' | 'componentId' | 'componentName' | 'name' | 'securityVersion'
> & { signature?: Signature | undefined };

/** What is wrong with the signature of a version over its file. A component without signing keys needs no signature. */
export async function faultOfSignature(
  db: Db,
  version: Signed,
  file: { size: number; sha256: string },
): Promise<string | undefined> {
  const keys = await signingKeysOf(db, version);
  if (keys.length === 0) return undefined;
  const { projectId: project, componentName: component, name, securityVersion, signature } = version;
  if (!signature) return 'The component has signing keys, but this version is not signed.';
  const signed = { project, component, version: name, securityVersion, ...file };
  if (isSignedBy(keys, signature, signed)) return undefined;
  return 'The signature is not valid for this file and the component’s signing keys.';
}

function isSignedBy(keys: Component['signingKeys'], signature: Signature, signed: SignedVersion): boolean {
  const key = keys.find(({ id }) => id === signature.keyId);
  if (!key) return false;
  const x = Buffer.from(key.publicKey, 'base64').toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(signedVersion(signed)), publicKey, Buffer.from(signature.value, 'base64'));
}

/** Locks the component until the transaction ends, because its name is part of what is signed. */
async function signingKeysOf(
  db: Db,
  { projectId, componentId }: Pick<ComponentVersion, 'projectId' | 'componentId'>,
): Promise<Component['signingKeys']> {
  const found = await db.one<{ keys: Component['signingKeys'] }>(sql`
    select signing_keys as keys from components where project_id = ${projectId} and id = ${componentId} for share`);
  return found?.keys ?? [];
}
