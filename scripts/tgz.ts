import { gzipSync } from 'node:zlib';
import { endOfTar, tarBlock, tarHeader } from '../cli/operator/backup/tar.ts';

/** A `.tgz` of a few text files, the same bytes for the same texts. */
export function tgz(files: Record<string, string>): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const header = tarHeader(name, content.length, { mode: 0o644 });
    return [header, content, Buffer.alloc(-content.length & (tarBlock - 1))];
  });
  return gzipSync(Buffer.concat([...parts, endOfTar]), { level: 9 });
}
