import { Readable } from 'node:stream';
import { freeChunk } from '#server/storage/freeChunk.ts';
import type { ByteRange, Storage } from '#server/storage/storage.ts';

const blockBytes = 256 * 1024;
const blocksMax = 256;

interface Cached {
  place: string;
  sizeBytes: number;
}

/**
 * The blocks of files that were asked for last, in memory (LRU): when a whole fleet downloads the same firmware, each
 * block is read from the store once. A place never holds other content, so that nothing has to be invalidated.
 */
export class BlockCache {
  readonly #storage: Pick<Storage, 'read'>;
  readonly #blocksMax: number;
  readonly #blocks = new Map<string, Promise<Buffer>>();

  constructor(storage: Pick<Storage, 'read'>, max = blocksMax) {
    this.#storage = storage;
    this.#blocksMax = max;
  }

  /** The bytes of the range; `handOut` is told how many with each block. It reads one block ahead, and no further. */
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
    // An async generator as the source would cost as much as the sending.
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
    // A map is ordered by when its keys were set.
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
