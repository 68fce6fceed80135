import { signedVersion } from '#rules/firmware/signedVersion.ts';
import { digestedComponents, targetProof } from '#rules/firmware/targetProof.ts';
import type { Target, TargetComponent } from '#sdk/frames.ts';
import { Sha256 } from '#sdk/sha256.ts';
import { UpdateFault } from './updateFault.ts';

/** Ed25519 public keys: their 32 bytes in base64. */
export interface Trust {
  /** The project id, which is part of what a developer signs. */
  project: string;
  /** If set, every component must be signed with one of these keys. */
  developerKeys?: { id: string; publicKey: string }[];
  /** If set, every target must be signed with this key. */
  platformKey?: string;
}

/** Checks that a version is signed with a known developer key. */
export async function checkSignature(component: TargetComponent, trust: Trust): Promise<void> {
  if (!trust.developerKeys) return;
  const { signature, securityVersion = 0 } = component;
  const key = trust.developerKeys.find(({ id }) => id === signature?.keyId);
  const text = signedVersion({ ...component, project: trust.project, securityVersion });
  if (key && signature && (await isSigned(text, signature.value, key.publicKey))) return;
  throw new UpdateFault(
    'signature_invalid',
    `${component.component} ${component.version} is not signed with a trusted key.`,
  );
}

/**
 * Checks that the platform signed the target for this device and these components, and that the signature has not
 * expired.
 */
export async function checkProof(
  target: Target,
  trust: Trust,
  { deviceId, now }: { deviceId: string; now: Date },
): Promise<void> {
  if (!trust.platformKey) return;
  const { proof, sequence, components } = target;
  if (!proof) throw new UpdateFault('signature_invalid', 'The target is not signed.');
  const { digest, signature, issuedAt, expiresAt } = proof;
  const hash = new Sha256();
  const listed = components.map(one => ({ ...one, securityVersion: one.securityVersion ?? 0 }));
  hash.update(new TextEncoder().encode(digestedComponents(listed)));
  if (hash.hex() !== digest)
    throw new UpdateFault('manifest_invalid', 'The target is signed for other components.');
  const text = targetProof({ deviceId, sequence, issuedAt, expiresAt, digest });
  if (!(await isSigned(text, signature, trust.platformKey)))
    throw new UpdateFault('signature_invalid', 'The signature of the target is not valid.');
  // It was just read, so the clock is usually wrong; once it is set, the same target is accepted.
  if (new Date(expiresAt) <= now)
    throw new UpdateFault(
      'url_expired',
      `The target expired at ${expiresAt}; the device’s clock says ${now.toISOString()}.`,
    );
}

async function isSigned(text: string, signature: string, publicKey: string): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  // Only available on pages loaded over https.
  if (!subtle) throw new UpdateFault('signature_invalid', 'This runtime cannot verify signatures.');
  try {
    const key = await subtle.importKey('raw', bytesOf(publicKey), { name: 'Ed25519' }, false, ['verify']);
    return await subtle.verify({ name: 'Ed25519' }, key, bytesOf(signature), new TextEncoder().encode(text));
  } catch {
    // The key or the signature is malformed, so it proves nothing.
    return false;
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), char => char.charCodeAt(0));
}
