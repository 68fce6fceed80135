import { PacketBody } from './mqttBody.ts';
import { decodeBody } from './mqttDecode.ts';
import { PacketFault } from './mqttFault.ts';
import { type Packet, type PacketType, packetTypes, reservedFlags } from './mqttPacket.ts';

const none = new Uint8Array(0);

interface Header {
  type: PacketType;
  flags: number;
  /** The bytes of the header, and of everything after it. */
  size: number;
  length: number;
}

/**
 * Finds packets in a stream of bytes, however it is split into chunks. Chunks are not copied, so they must not be
 * modified after they are pushed. Packets are read one by one, so that a caller can leave the rest for later. Payloads
 * are views into the chunks.
 */
export class PacketReader {
  /** The maximum size of a packet, including its header. */
  bytesMax: number;
  #bytes: Uint8Array = none;
  #start = 0;
  #end = 0;
  /** True: the buffer is our own copy, so it may be written after `end`. */
  #isOurs = false;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  /** The number of pushed bytes that are not read yet. */
  get unread(): number {
    return this.#end - this.#start;
  }

  push(chunk: Uint8Array): void {
    if (this.unread === 0) {
      this.#bytes = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      this.#isOurs = false;
      return;
    }
    if (!this.#isOurs || this.#end + chunk.length > this.#bytes.length) this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /**
   * Returns the next packet; undefined until it is complete. Throws `PacketFault`, after which the reader cannot
   * continue.
   */
  next(): Packet | undefined {
    const header = this.#header();
    if (!header || this.unread < header.size + header.length) return undefined;
    const from = this.#start + header.size;
    const to = from + header.length;
    const body = new PacketBody(this.#bytes.subarray(from, to));
    this.#start = to;
    // Everything is read: an idle connection keeps no buffer.
    if (to === this.#end) {
      this.#bytes = none;
      this.#start = 0;
      this.#end = 0;
    }
    return decodeBody(header.type, header.flags, body);
  }

  /** Checked as soon as it is complete, so that invalid packets are refused before the rest arrives. */
  #header(): Header | undefined {
    if (this.unread === 0) return undefined;
    const first = this.#bytes[this.#start] ?? 0;
    const type = packetTypes[first >> 4];
    const flags = first & 15;
    if (!type) throw new PacketFault('MALFORMED', 'This packet type does not exist.');
    if (type !== 'publish' && flags !== reservedFlags(type))
      throw new PacketFault('MALFORMED', 'A reserved flag is set.');
    let length = 0;
    for (let size = 1; size <= 4; size++) {
      if (size >= this.unread) return undefined;
      const byte = this.#bytes[this.#start + size] ?? 0;
      length += (byte & 127) * 128 ** (size - 1);
      if (size + 1 + length > this.bytesMax) throw new PacketFault('TOO_LARGE', 'The packet is too large.');
      if (byte < 128) return { type, flags, size: size + 1, length };
    }
    throw new PacketFault('MALFORMED', 'The packet length takes more than four bytes.');
  }

  /** Doubles the buffer each time, so that a packet that arrives byte by byte is not copied for each byte. */
  #makeRoom(more: number): void {
    const unread = this.#bytes.subarray(this.#start, this.#end);
    const bytes = new Uint8Array(Math.max(unread.length + more, unread.length * 2));
    bytes.set(unread);
    this.#bytes = bytes;
    this.#start = 0;
    this.#end = unread.length;
    this.#isOurs = true;
  }
}
