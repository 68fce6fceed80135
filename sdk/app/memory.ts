/** What remembers the session: `localStorage`, `AsyncStorage` of React Native, or anything that does the same. */
export interface Storage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

/** The storage of the browser; where there is none, the memory, which ends with the program. */
export function storageHere(): Storage {
  try {
    // Some browsers refuse even to be asked.
    if (typeof localStorage !== 'undefined') return localStorage;
  } catch {
    // As if there were none.
  }
  const kept = new Map<string, string>();
  return {
    getItem: key => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: key => kept.delete(key),
  };
}

/** A value of a storage, as JSON. */
export class Remembered<T> {
  readonly #storage: Storage;
  readonly #key: string;

  constructor(storage: Storage, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  async read(): Promise<T | undefined> {
    const text = await this.#storage.getItem(this.#key);
    if (text === null || text === undefined) return undefined;
    try {
      return JSON.parse(text) as T;
    } catch {
      // Written by somebody else.
      return undefined;
    }
  }

  async write(value: T): Promise<void> {
    await this.#storage.setItem(this.#key, JSON.stringify(value));
  }

  async forget(): Promise<void> {
    await this.#storage.removeItem(this.#key);
  }
}
