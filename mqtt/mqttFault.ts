/** Why what came is no packet that may be. */
export type PacketFaultKind =
  | 'MALFORMED'
  /** Larger than the reader takes; known from the header, before any of it is kept. */
  | 'TOO_LARGE'
  /** CONNECT of another version: it is to be answered with its own code. */
  | 'UNACCEPTABLE_VERSION'
  /** Published under a name with a wildcard, or under none. */
  | 'TOPIC';

export class PacketFault extends Error {
  override name = 'PacketFault';
  readonly kind: PacketFaultKind;

  constructor(kind: PacketFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
