import { createHash, type Hash } from 'node:crypto';

/** An entry of an archive. Its content must be read before the next entry is requested; unread content is skipped. */
export interface Entry {
  name: string;
  size: number;
  content: AsyncIterable<Uint8Array>;
}

export const tarBlock = 512;
const nameBytesMax = 100;
/** The largest number with eleven octal digits. */
const sizeMax = 8 ** 11 - 1;
const isEnd = (header: Buffer) => header.every(byte => byte === 0);

export const endOfTar = Buffer.alloc(2 * tarBlock);

/** An entry in POSIX format (ustar), without the end of the archive. */
export async function* tarEntry({ name, size, content }: Entry): AsyncGenerator<Uint8Array> {
  yield tarHeader(name, size);
  let sent = 0;
  for await (const chunk of content) {
    sent += chunk.byteLength;
    if (sent > size) break;
    yield chunk;
  }
  if (sent !== size) throw new Error(`${name} does not have the announced size of ${size} bytes.`);
  const padding = -size & (tarBlock - 1);
  if (padding > 0) yield Buffer.alloc(padding);
}

/** Numbers are octal; the checksum covers the header with spaces in place of the checksum. */
export function tarHeader(name: string, size: number, { mode = 0o600 } = {}): Buffer {
  if (Buffer.byteLength(name) > nameBytesMax || size > sizeMax)
    throw new Error(`${name} of ${size} bytes does not fit into an archive.`);
  const header = Buffer.alloc(tarBlock);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0);
  header.write(octal(mode, 7) + octal(0, 7) + octal(0, 7) + octal(size, 11) + octal(0, 11), 100, 'latin1');
  header.write(`${' '.repeat(8)}0`, 148, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${octal(sumOf(header), 6)} `, 148, 'latin1');
  return header;
}

const sumOf = (header: Buffer) => header.reduce((sum, byte) => sum + byte, 0);

/** An entry that is being read, with the checksum of everything before it. */
export interface ReadEntry extends Entry {
  sha256Before: string;
}

export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<ReadEntry> {
  const bytes = new Bytes(source);
  for (;;) {
    const sha256Before = bytes.hash.copy().digest('hex');
    const header = await bytes.exactly(tarBlock);
    if (isEnd(header)) return;
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8);
    const sum = Number.parseInt(header.toString('latin1', 148, 154), 8);
    header.fill(' ', 148, 156);
    if (sum !== sumOf(header) || !(size >= 0)) throw new Error('a header is damaged');
    const content = bytes.upTo(size);
    yield { name: header.toString('utf8', 0, header.indexOf(0)), size, content, sha256Before };
    for await (const _ of content);
    await bytes.exactly(-size & (tarBlock - 1));
  }
}

class Bytes {
  readonly hash: Hash = createHash('sha256');
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async exactly(size: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of this.upTo(size)) parts.push(part);
    // A copy, because the header is changed while its checksum is verified.
    return Buffer.concat(parts);
  }

  async *upTo(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0; ) {
      if (this.#rest.byteLength === 0) {
        const next = await this.#source.next();
        if (next.done) throw new Error('it ends too early');
        this.#rest = next.value;
        continue;
      }
      const taken = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(taken.byteLength);
      left -= taken.byteLength;
      this.hash.update(taken);
      yield taken;
    }
  }
}
