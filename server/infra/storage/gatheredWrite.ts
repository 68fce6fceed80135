import type { FileHandle } from 'node:fs/promises';
import { freeChunk } from './freeChunk.ts';

const gatherBytes = 512 * 1024;
/** Limit for all writers of this process; beyond it, each writer writes what it has. */
const gatheredMax = 32 * 1024 * 1024;
let gathered = 0;

/**
 * Writes a source into a file from an offset. A socket yields at most 64 KiB at a time, and each write costs a turn of
 * a thread, so several chunks are written together. With `givesAway`, the source's chunks are emptied afterwards.
 * `before` is called before each write, and may throw to stop it.
 */
export async function gatheredWrite(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  { from, givesAway, before }: { from: number; givesAway: boolean; before?: () => Promise<void> },
): Promise<void> {
  let [chunks, held, at]: [Uint8Array[], number, number] = [[], 0, from];
  const flush = async () => {
    await before?.();
    await writeAll(file, chunks, at);
    if (givesAway) chunks.forEach(freeChunk);
    at += held;
    release();
  };
  const release = () => {
    gathered -= held;
    [chunks, held] = [[], 0];
  };
  try {
    for await (const chunk of source) {
      chunks.push(chunk);
      held += chunk.byteLength;
      gathered += chunk.byteLength;
      if (held >= gatherBytes || gathered > gatheredMax) await flush();
    }
    await flush();
  } finally {
    release();
  }
}

/** A disk that is nearly full writes only part of the data, and fails on the next call. */
async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], from: number): Promise<void> {
  let [rest, at] = [[...chunks], from];
  while (rest.length > 0) {
    let { bytesWritten } = await file.writev(rest, at);
    at += bytesWritten;
    for (; rest[0] && rest[0].byteLength <= bytesWritten; rest = rest.slice(1))
      bytesWritten -= rest[0].byteLength;
    if (rest[0]) rest[0] = rest[0].subarray(bytesWritten);
  }
}
