/**
 * Frees the memory of a chunk at once; the chunk is empty afterwards. The garbage collector sees only a small object
 * and waits: during a long transfer, tens of megabytes would accumulate. A chunk that shares its memory is left alone.
 */
export function freeChunk({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
