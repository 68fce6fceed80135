interface ProvenComponent {
  component: string;
  version: string;
  sha256: string;
  securityVersion: number;
  delta?: { from: string; size: number; sha256: string } | undefined;
}

export interface TargetProof {
  deviceId: string;
  sequence: number;
  issuedAt: string;
  expiresAt: string;
  /** SHA-256 of `digestedComponents`, in hexadecimal digits. */
  digest: string;
}

/** The text whose SHA-256 is the digest of a target. A component with a delta has it as a fifth element. */
export function digestedComponents(components: readonly ProvenComponent[]): string {
  return JSON.stringify(
    components.map(({ component, version, sha256, securityVersion, delta }) => [
      component,
      version,
      sha256.toLowerCase(),
      securityVersion,
      ...(delta ? [[delta.from.toLowerCase(), delta.size, delta.sha256.toLowerCase()]] : []),
    ]),
  );
}

/**
 * The text whose UTF-8 bytes the platform's Ed25519 key signs: this device should run these components. The times
 * prevent an old target from being replayed.
 */
export function targetProof({ deviceId, sequence, issuedAt, expiresAt, digest }: TargetProof): string {
  return [deviceId, sequence, issuedAt, expiresAt, digest].join('\n');
}
