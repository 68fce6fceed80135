import { createHash } from 'node:crypto';
import { freeChunk } from '#server/infra/storage/freeChunk.ts';

/** Reads a file once, freeing its chunks, and returns its length, its SHA-256, and that of each of its parts. */
export async function hashParts(
  source: AsyncIterable<Uint8Array>,
  partBytes: number,
  signal?: AbortSignal,
): Promise<{ bytes: number; sha256: string; parts: string[] }> {
  const whole = createHash('sha256');
  const parts: string[] = [];
  let part = createHash('sha256');
  let bytes = 0;
  for await (const chunk of source) {
    signal?.throwIfAborted();
    whole.update(chunk);
    for (let at = 0; at < chunk.byteLength; ) {
      const taken = chunk.subarray(at, at + partBytes - (bytes % partBytes));
      part.update(taken);
      at += taken.byteLength;
      bytes += taken.byteLength;
      if (bytes % partBytes > 0) continue;
      parts.push(part.digest('hex'));
      part = createHash('sha256');
    }
    freeChunk(chunk);
  }
  if (bytes % partBytes > 0) parts.push(part.digest('hex'));
  return { bytes, sha256: whole.digest('hex'), parts };
}
