/** Stores the session: `localStorage`, `AsyncStorage` of React Native, or anything with the same methods. */
export interface Storage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

/** The storage of the browser; if there is none, memory, which is lost when the program ends. */
export function storageHere(): Storage {
  try {
    // In some browsers, even accessing it throws.
    if (typeof localStorage !== 'undefined') return localStorage;
  } catch {
    // Treated as if there were none.
  }
  const kept = new Map<string, string>();
  return {
    getItem: key => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: key => kept.delete(key),
  };
}

/** A value in a storage, as JSON. */
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
      // Something else wrote this value.
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
