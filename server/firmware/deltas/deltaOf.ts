import { constants, createZstdCompress, createZstdDecompress, type ZstdOptions } from 'node:zlib';

/**
 * Larger files are sent whole. Creating a delta takes about eight times the size of the old file in memory; applying
 * one needs the old file and a window as large as the larger of the two files.
 */
export const deltaFileBytesMax = 32 * 1024 ** 2;
/** A delta is worthwhile if its size is at most this share of the whole file. */
export const deltaShareMax = 0.6;

/** Up to this size, the best compression takes seconds; beyond it, minutes. */
const thoroughBytesMax = 4 * 1024 ** 2;
/** Compresses a file of `bytes` bytes with the old file as dictionary, in the format of `zstd -d --patch-from`. */
export function deltaTo(old: Buffer, bytes: number) {
  const windowLog = Math.max(log2(Math.max(old.length, bytes)), 10);
  const params: NonNullable<ZstdOptions['params']> = {
    [constants.ZSTD_c_windowLog]: windowLog,
    [constants.ZSTD_c_checksumFlag]: 1,
    [constants.ZSTD_c_compressionLevel]: 19,
  };
  if (Math.max(old.length, bytes) > thoroughBytesMax) {
    params[constants.ZSTD_c_compressionLevel] = 6;
    // The table must cover all of the old file: if it is smaller, as by default, it loses the beginning.
    params[constants.ZSTD_c_hashLog] = Math.max(log2(old.length) - 1, 17);
  }
  return createZstdCompress({ dictionary: old, params, pledgedSrcSize: bytes } as ZstdOptions);
}

/** Restores the new file from a delta and the old file. */
export function fileOfDelta(old: Buffer) {
  return createZstdDecompress({ dictionary: old } as ZstdOptions);
}

/** The exponent of the next larger power of two, at most that of the file size limit. */
function log2(bytes: number): number {
  return Math.min(Math.floor(Math.log2(Math.max(bytes, 1))) + 1, Math.log2(deltaFileBytesMax));
}
