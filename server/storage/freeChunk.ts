/**
 * Gives the memory of a chunk back at once; the chunk is empty afterwards. The garbage collector sees a small object
 * and takes its time: behind a long transfer, tens of megabytes would wait for it. A chunk that shares its memory with
 * others is left alone.
 */
export function freeChunk({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
