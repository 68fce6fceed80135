import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file of a ZIP archive. */
export interface ZipFile {
  name: string;
  body: AsyncIterable<string>;
}

interface Entry {
  name: Buffer;
  crc: number;
  compressed: number;
  size: number;
  offset: number;
}

const signatures = { file: 0x04034b50, descriptor: 0x08074b50, entry: 0x02014b50, end: 0x06054b50 };
const version = 20;
/** Sizes come after the file (bit 3), names are UTF-8 (bit 11). */
const flags = 0x0808;
const deflated = 8;
/** The maximum of sizes, offsets and the number of files without ZIP64. */
const bytesMax = 0xffffffff;
const filesMax = 0xffff;

/** Streams a ZIP archive; only the list of its files is in memory. */
export async function* zip(
  files: Iterable<ZipFile> | AsyncIterable<ZipFile>,
  now: Date,
): AsyncGenerator<Buffer> {
  const entries: Entry[] = [];
  const time = dosTime(now);
  let offset = 0;
  for await (const { name, body } of files) {
    const entry = { name: Buffer.from(name), crc: 0, compressed: 0, size: 0, offset };
    const head = Buffer.concat([
      u32(signatures.file),
      ...[version, flags, deflated].map(u16),
      time,
      ...[0, 0, 0].map(u32),
      ...[entry.name.length, 0].map(u16),
      entry.name,
    ]);
    yield head;
    for await (const chunk of deflate(body, entry)) yield chunk;
    const descriptor = [signatures.descriptor, entry.crc, entry.compressed, entry.size];
    offset += head.length + entry.compressed + 4 * descriptor.length;
    entries.push(entry);
    if (offset > bytesMax || entry.size > bytesMax || entries.length > filesMax)
      throw new Error('The archive is too large.');
    yield Buffer.concat(descriptor.map(u32));
  }
  const directory = Buffer.concat(entries.map(entry => directoryEntry(entry, time)));
  yield directory;
  yield Buffer.concat([
    u32(signatures.end),
    ...[0, 0, entries.length, entries.length].map(u16),
    ...[directory.length, offset].map(u32),
    u16(0),
  ]);
}

/** Compresses a file, and records its sizes and checksum. */
async function* deflate(body: AsyncIterable<string>, entry: Entry): AsyncGenerator<Buffer> {
  async function* measured() {
    for await (const text of body) {
      const bytes = Buffer.from(text);
      entry.crc = crc32(bytes, entry.crc);
      entry.size += bytes.length;
      yield bytes;
    }
  }
  // Errors in the pipeline are thrown by the stream that is read.
  const compressed = pipeline(Readable.from(measured()), createDeflateRaw(), () => undefined);
  for await (const chunk of compressed as AsyncIterable<Buffer>) {
    entry.compressed += chunk.length;
    yield chunk;
  }
}

function directoryEntry({ name, crc, compressed, size, offset }: Entry, time: Buffer): Buffer {
  return Buffer.concat([
    u32(signatures.entry),
    ...[version, version, flags, deflated].map(u16),
    time,
    ...[crc, compressed, size].map(u32),
    ...[name.length, 0, 0, 0, 0].map(u16),
    ...[0, offset].map(u32),
    name,
  ]);
}

/** The DOS time in UTC, with a resolution of two seconds. */
function dosTime(now: Date): Buffer {
  const time = (now.getUTCHours() << 11) | (now.getUTCMinutes() << 5) | (now.getUTCSeconds() >> 1);
  const date = ((now.getUTCFullYear() - 1980) << 9) | ((now.getUTCMonth() + 1) << 5) | now.getUTCDate();
  return Buffer.concat([u16(time), u16(date)]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
