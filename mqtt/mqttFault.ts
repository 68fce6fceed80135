/** Why the received bytes are not a valid packet. */
export type PacketFaultKind =
  | 'MALFORMED'
  /** Larger than the reader accepts; detected from the header, before anything is buffered. */
  | 'TOO_LARGE'
  /** A CONNECT of another protocol version, which is answered with its own code. */
  | 'UNACCEPTABLE_VERSION'
  /** Published to a topic with a wildcard, or to an empty one. */
  | 'TOPIC';

export class PacketFault extends Error {
  override name = 'PacketFault';
  readonly kind: PacketFaultKind;

  constructor(kind: PacketFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
