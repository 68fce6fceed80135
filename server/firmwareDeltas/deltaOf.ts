import { constants, createZstdCompress, createZstdDecompress, type ZstdOptions } from 'node:zlib';

/**
 * Larger files are sent whole. Making a delta takes about eight times the old file of memory, and taking one apart needs
 * the old file and a window as large as the larger of the two.
 */
export const deltaFileBytesMax = 32 * 1024 ** 2;
/** A delta is worth its trouble if it is at most this share of the whole file. */
export const deltaShareMax = 0.6;

/** Up to here the best compression takes seconds; beyond, minutes. */
const thoroughBytesMax = 4 * 1024 ** 2;
/** Compresses a file of so many bytes, with the old file as dictionary: what `zstd -d --patch-from` reads. */
export function deltaTo(old: Buffer, bytes: number) {
  const windowLog = Math.max(log2(Math.max(old.length, bytes)), 10);
  const params: NonNullable<ZstdOptions['params']> = {
    [constants.ZSTD_c_windowLog]: windowLog,
    [constants.ZSTD_c_checksumFlag]: 1,
    [constants.ZSTD_c_compressionLevel]: 19,
  };
  if (Math.max(old.length, bytes) > thoroughBytesMax) {
    params[constants.ZSTD_c_compressionLevel] = 6;
    // The table has to hold all of the old file: with fewer places, and by default, it forgets the beginning.
    params[constants.ZSTD_c_hashLog] = Math.max(log2(old.length) - 1, 17);
  }
  return createZstdCompress({ dictionary: old, params, pledgedSrcSize: bytes } as ZstdOptions);
}

/** Makes the new file of a delta and the old file. */
export function fileOfDelta(old: Buffer) {
  return createZstdDecompress({ dictionary: old } as ZstdOptions);
}

/** The exponent of the next power of two that is larger; of that which the limit of files is, at most. */
function log2(bytes: number): number {
  return Math.min(Math.floor(Math.log2(Math.max(bytes, 1))) + 1, Math.log2(deltaFileBytesMax));
}
