/** The maximum memory for all files. */
const bytesMax = 256 * 1024 ** 2;

/**
 * Files that members of the fleet downloaded as a whole, by checksum. Each is stored once, even if many devices have
 * it; deltas are applied to it.
 */
export class FileShelf {
  readonly #files = new Map<string, Buffer>();
  readonly #coming = new Set<string>();
  #bytes = 0;

  /** Starts collecting a file; undefined: another member is collecting it, it is already here, or there is no room. */
  begin(sha256: string, size: number): Collected | undefined {
    if (this.#files.has(sha256) || this.#coming.has(sha256) || this.#bytes + size > bytesMax)
      return undefined;
    this.#coming.add(sha256);
    this.#bytes += size;
    const file = Buffer.alloc(size);
    return {
      write: (bytes, offset) => file.set(bytes, offset),
      end: isRight => {
        this.#coming.delete(sha256);
        if (isRight) this.#files.set(sha256, file);
        else this.#bytes -= size;
      },
    };
  }

  get(sha256: string): Buffer | undefined {
    return this.#files.get(sha256);
  }
}

export interface Collected {
  write(bytes: Uint8Array, offset: number): void;
  end(isRight: boolean): void;
}
