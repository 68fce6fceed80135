/**
 * Client storage that cannot fail: if the browser forbids it or it is full, values are kept in memory for as long as
 * the tab is open.
 */
function storageIn(area: () => Storage) {
  const memory = new Map<string, string>();
  return {
    read(key: string): string | undefined {
      if (memory.has(key)) return memory.get(key);
      try {
        return area().getItem(key) ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(key: string, value: string): void {
      try {
        area().setItem(key, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
      }
    },
    remove(key: string): void {
      memory.delete(key);
      try {
        area().removeItem(key);
      } catch {
        // Then nothing was stored there.
      }
    },
  };
}

/** Shared by all tabs. */
export const shared = storageIn(() => window.localStorage);
/** This tab only. */
export const tab = storageIn(() => window.sessionStorage);
