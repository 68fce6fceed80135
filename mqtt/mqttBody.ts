import { PacketFault } from './mqttFault.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the part of a packet after its fixed header, field by field. */
export class PacketBody {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isRead(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw new PacketFault('MALFORMED', 'The packet ends inside a field.');
    this.#at += 1;
    return value;
  }

  twoBytes(): number {
    return this.byte() * 256 + this.byte();
  }

  packetId(): number {
    const id = this.twoBytes();
    if (id === 0) throw new PacketFault('MALFORMED', 'A packet identifier is 0.');
    return id;
  }

  binary(): Uint8Array {
    const length = this.twoBytes();
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new PacketFault('MALFORMED', 'The packet ends inside a field.');
    const value = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return value;
  }

  /** UTF-8 as defined in section 1.5.3: well-formed, without NUL; a byte order mark is an ordinary character. */
  text(): string {
    const bytes = this.binary();
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      throw new PacketFault('MALFORMED', 'A string is not valid UTF-8.');
    }
    if (text.includes('\0')) throw new PacketFault('MALFORMED', 'A string contains NUL.');
    return text;
  }

  rest(): Uint8Array {
    const value = this.#bytes.subarray(this.#at);
    this.#at = this.#bytes.length;
    return value;
  }
}
