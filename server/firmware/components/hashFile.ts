import { createHash } from 'node:crypto';
import { freeChunk } from '#server/infra/storage/freeChunk.ts';

/** Reads a file once, freeing its chunks, and returns its length and its SHA-256. */
export async function hashFile(
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of source) {
    signal?.throwIfAborted();
    hash.update(chunk);
    bytes += chunk.byteLength;
    freeChunk(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}
