import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { TargetFrame } from '#contract/deviceProtocol.ts';
import { digestedComponents, targetProof } from '#rules/firmware/targetProof.ts';
import type { Sealing } from '#server/infra/sealing.ts';

/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const keyBytes = 32;

const made = new WeakMap<Sealing, KeyObject>();

/** The platform's key for targets, derived from the master key: the same in all processes and after a restart. */
function privateKey(sealing: Sealing): KeyObject {
  const known = made.get(sealing);
  if (known) return known;
  const seed = sealing.mac('key that signs targets').subarray(0, keyBytes);
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
  made.set(sealing, key);
  return key;
}

/** The public key, 32 bytes in base64. Devices store it, and accept targets from no one else. */
export function targetPublicKey(sealing: Sealing): string {
  const spki = createPublicKey(privateKey(sealing)).export({ format: 'der', type: 'spki' });
  return spki.subarray(-keyBytes).toString('base64');
}

/** Signs a target of a device until it expires. */
export function proofOf(
  sealing: Sealing,
  { deviceId, sequence, components }: { deviceId: string } & Pick<TargetFrame, 'sequence' | 'components'>,
  { from, until }: { from: Date; until: Date },
): NonNullable<TargetFrame['proof']> {
  const digest = createHash('sha256').update(digestedComponents(components)).digest('hex');
  const times = { issuedAt: from.toISOString(), expiresAt: until.toISOString() };
  const text = targetProof({ deviceId, sequence, ...times, digest });
  return {
    ...times,
    digest,
    signature: sign(null, Buffer.from(text), privateKey(sealing)).toString('base64'),
  };
}
