import { gzipSync } from 'node:zlib';

const block = 512;

/** A `.tgz` of a few text files, the same bytes for the same texts. */
export function tgz(files: Record<string, string>): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    return [headerOf(name, content.length), content, Buffer.alloc(-content.length & (block - 1))];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level: 9 });
}

/**
 * The POSIX format (ustar): numbers are octal, and the checksum covers the header with spaces in place of the checksum.
 */
function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(block);
  const put = (text: string, at: number) => header.write(text, at, 'latin1');
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  put(name, 0);
  put(octal(0o644, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  put(octal(size, 11), 124);
  put(octal(0, 11), 136);
  put(' '.repeat(8), 148);
  put('0', 156);
  put('ustar\x0000', 257);
  const sum = header.reduce((sum, byte) => sum + byte, 0);
  put(`${octal(sum, 6)} `, 148);
  return header;
}
