import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Problem } from '#contract/problem.ts';
import type { Config } from '#server/infra/config.ts';
import { createDiskStorage } from './disk.ts';
import type { FilePart, PartedFile, StoredPart } from './partedFile.ts';
import { S3Storage } from './s3.ts';

/**
 * Stores files, each under a place that we generate, never under a name that someone else chose. A file exists
 * completely or not at all.
 */
export interface Storage {
  /** Reads the source to its end and stores it. If it is too long or breaks, nothing is stored. */
  write(place: string, source: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Written>;
  /** Reads the bytes from `from` up to and including `to`, or all of them. */
  read(place: string, range?: ByteRange): Promise<Readable>;
  /** Undefined if the file does not exist. */
  size(place: string): Promise<number | undefined>;
  /** Also removes what a killed write left behind. It is no error if the file does not exist. */
  remove(place: string): Promise<void>;
  /** Begins a file that arrives in parts, and returns the store's id for the upload. */
  begin(place: string, bytes: number): Promise<string>;
  /**
   * Reads the source to its end; the store takes over its chunks, and empties them once they are written. The part is
   * stored when this resolves; pass the result to `join`.
   */
  writePart(file: PartedFile, part: FilePart, source: AsyncIterable<Uint8Array>): Promise<string>;
  /** Makes a file of the parts. Can be repeated; only afterwards can the file be read. */
  join(file: PartedFile, parts: readonly StoredPart[]): Promise<void>;
}

export interface Written {
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

export interface ByteRange {
  from: number;
  to: number;
}

export function createStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Storage {
  return s3 ? new S3Storage(s3) : createDiskStorage(join(dataDir, 'files'));
}

/** Passes on a stream while counting and hashing its bytes; throws if it is too long. */
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

  /** Valid once the stream has passed completely. */
  written(): Written {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
