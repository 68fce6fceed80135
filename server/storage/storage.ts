import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Problem } from '#contract/problem.ts';
import type { Config } from '#server/config.ts';
import { createDiskStorage } from './disk.ts';
import type { FilePart, PartedFile, StoredPart } from './partedFile.ts';
import { S3Storage } from './s3.ts';

/**
 * Where files are kept, each under a place of our own making and never under a name that somebody gave it. A file is
 * there whole or not at all.
 */
export interface Storage {
  /** Reads the source to its end and keeps it. Past the bound, or when the source breaks, nothing is kept. */
  write(place: string, source: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Written>;
  /** The bytes from `from` up to and with `to`, or all of them. */
  read(place: string, range?: ByteRange): Promise<Readable>;
  /** Undefined: there is no such file. */
  size(place: string): Promise<number | undefined>;
  /** Also what a write that was killed left behind. What is not there need not be removed. */
  remove(place: string): Promise<void>;
  /** Begins a file that comes in parts, and answers what the store calls it. */
  begin(place: string, bytes: number): Promise<string>;
  /**
   * Reads the source to its end; its chunks are the store's, which empties them once they are written. The part is stored
   * when this answers; what it answers goes into `join`.
   */
  writePart(file: PartedFile, part: FilePart, source: AsyncIterable<Uint8Array>): Promise<string>;
  /** Makes a file of the parts. Can be repeated; only then can it be read. */
  join(file: PartedFile, parts: readonly StoredPart[]): Promise<void>;
}

export interface Written {
  bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
}

export interface ByteRange {
  from: number;
  to: number;
}

export function createStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Storage {
  return s3 ? new S3Storage(s3) : createDiskStorage(join(dataDir, 'files'));
}

/** Hands a stream on, counting and hashing what passes; one that is longer than it may be breaks. */
export class Measured {
  readonly #hash = createHash('sha256');
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(source: AsyncIterable<Uint8Array>, bytesMax: number) {
    this.#source = source;
    this.#bytesMax = bytesMax;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#source) {
      this.#bytes += chunk.byteLength;
      if (this.#bytes > this.#bytesMax) throw new Problem('TOO_LARGE');
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  /** Once it has passed to its end. */
  written(): Written {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
