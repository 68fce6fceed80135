import { constants, createZstdCompress, createZstdDecompress, type ZstdOptions } from 'node:zlib';

/**
 * Larger files are sent whole. Making a delta holds the old file in memory and about 200 MiB beside it, and taking one
 * apart needs the old file and a window as large as the larger of the two.
 */
export const deltaFileBytesMax = 64 * 1024 ** 2;
/** A delta is worth its trouble if it is at most this share of the whole file. */
export const deltaShareMax = 0.6;

/** Up to here the best compression takes seconds; beyond, minutes. */
const thoroughBytesMax = 4 * 1024 ** 2;
/** What every decoder of zstd accepts unless told otherwise. */
const windowLogMax = 27;

/** Compresses a file of so many bytes, with the old file as dictionary: what `zstd -d --patch-from` reads. */
export function deltaTo(old: Buffer, bytes: number) {
  const windowLog = Math.min(Math.max(log2(Math.max(old.length, bytes)), 10), windowLogMax);
  const params: NonNullable<ZstdOptions['params']> = {
    [constants.ZSTD_c_windowLog]: windowLog,
    [constants.ZSTD_c_checksumFlag]: 1,
    [constants.ZSTD_c_compressionLevel]: 19,
  };
  if (Math.max(old.length, bytes) > thoroughBytesMax) {
    // The tables have to hold all of the old file: by default they forget its beginning.
    const tableLog = Math.min(Math.max(log2(old.length) - 2, 17), 23);
    params[constants.ZSTD_c_compressionLevel] = 6;
    params[constants.ZSTD_c_hashLog] = tableLog;
    params[constants.ZSTD_c_chainLog] = tableLog;
  }
  return createZstdCompress({ dictionary: old, params, pledgedSrcSize: bytes } as ZstdOptions);
}

/** Makes the new file of a delta and the old file. */
export function fileOfDelta(old: Buffer) {
  return createZstdDecompress({ dictionary: old } as ZstdOptions);
}

const log2 = (bytes: number) => Math.ceil(Math.log2(Math.max(bytes, 1)));
