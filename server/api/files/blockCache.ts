import { Readable } from 'node:stream';
import { freeChunk } from '#server/infra/storage/freeChunk.ts';
import type { ByteRange, Storage } from '#server/infra/storage/storage.ts';

const blockBytes = 256 * 1024;
const blocksMax = 256;

interface Cached {
  place: string;
  sizeBytes: number;
}

/**
 * The most recently requested blocks of files, in memory (LRU): when a whole fleet downloads the same firmware, each
 * block is read from the store once. The content at a place never changes, so there is no invalidation.
 */
export class BlockCache {
  readonly #storage: Pick<Storage, 'read'>;
  readonly #blocksMax: number;
  readonly #blocks = new Map<string, Promise<Buffer>>();

  constructor(storage: Pick<Storage, 'read'>, max = blocksMax) {
    this.#storage = storage;
    this.#blocksMax = max;
  }

  /** `read`, once the first block is there: a file that is missing fails here, and not in the stream. */
  async open(file: Cached, range: ByteRange, handOut?: (bytes: number) => void): Promise<Readable> {
    if (range.from <= range.to) await this.#block(file, Math.floor(range.from / blockBytes));
    return this.read(file, range, handOut);
  }

  /** Streams the bytes of the range, reading one block ahead. `handOut` gets the number of bytes of each block. */
  read(file: Cached, { from, to }: ByteRange, handOut: (bytes: number) => void = () => undefined): Readable {
    const last = Math.floor(to / blockBytes);
    let index = Math.floor(from / blockBytes);
    const next = async () => {
      const start = index * blockBytes;
      const block = this.#block(file, index++);
      if (index <= last) this.#block(file, index).catch(() => undefined);
      const chunk = (await block).subarray(Math.max(0, from - start), to + 1 - start);
      handOut(chunk.length);
      return chunk;
    };
    // An async generator as the source would cost as much as sending the bytes.
    return new Readable({
      read() {
        if (index > last) this.push(null);
        else
          next().then(
            chunk => this.push(chunk),
            error => this.destroy(error),
          );
      },
    });
  }

  #block(file: Cached, index: number): Promise<Buffer> {
    const key = `${file.place} ${index}`;
    const known = this.#blocks.get(key);
    // A map is ordered by insertion, so setting the key again moves it to the end.
    if (known) this.#blocks.delete(key);
    const block = known ?? this.#load(file, index);
    this.#blocks.set(key, block);
    if (!known) block.catch(() => this.#blocks.delete(key));
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= this.#blocksMax) break;
      this.#blocks.delete(oldest);
    }
    return block;
  }

  async #load({ place, sizeBytes }: Cached, index: number): Promise<Buffer> {
    const from = index * blockBytes;
    const to = Math.min(from + blockBytes, sizeBytes) - 1;
    const block = Buffer.allocUnsafeSlow(to + 1 - from);
    let at = 0;
    for await (const chunk of await this.#storage.read(place, { from, to })) {
      at += (chunk as Buffer).copy(block, at);
      freeChunk(chunk);
    }
    if (at === block.length) return block;
    throw new Error(`The file ${place} is shorter in the store than it was.`);
  }
}
