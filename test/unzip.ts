import { inflateRawSync } from 'node:zlib';

/** Reads the files of a ZIP archive with data descriptors, using its central directory. */
export function unzip(bytes: Buffer): Record<string, unknown> {
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'));
  const files: Record<string, unknown> = {};
  let at = bytes.readUInt32LE(end + 16);
  for (let n = bytes.readUInt16LE(end + 10); n > 0; n--) {
    const [size, nameLength] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)];
    const from = bytes.readUInt32LE(at + 42) + 30 + nameLength;
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString();
    files[name] = JSON.parse(inflateRawSync(bytes.subarray(from, from + size)).toString());
    at += 46 + nameLength;
  }
  return files;
}
