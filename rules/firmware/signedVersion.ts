/** A version of a component, as signed by the key of its developer. */
export interface SignedVersion {
  /** The project id. */
  project: string;
  /** The names of the component and the version. */
  component: string;
  version: string;
  securityVersion: number;
  /** In bytes. */
  size: number;
  /** In lower-case hexadecimal digits. */
  sha256: string;
}

/**
 * The text whose UTF-8 bytes an offline Ed25519 key of the developer signs. The members and their order are part of the
 * device protocol: devices build the same text. `class` is empty because a component is not bound to a class.
 */
export function signedVersion(given: SignedVersion): string {
  const { project, component, version, securityVersion, size, sha256 } = given;
  return JSON.stringify({
    project,
    class: '',
    component,
    version,
    securityVersion,
    size,
    sha256: sha256.toLowerCase(),
  });
}
