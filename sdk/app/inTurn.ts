/** As much of Web Locks as is used. */
interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

const turns = new Map<string, Promise<unknown>>();

/**
 * Does work of one name one at a time: in all tabs of a browser, by its locks; else within this program. Two programs
 * that share a storage without locks do no harm either, see `SessionKeeper`.
 */
export function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = (globalThis.navigator as { locks?: Locks } | undefined)?.locks;
  if (locks) return locks.request(name, work);
  const before = turns.get(name) ?? Promise.resolve();
  const mine = before.then(work, work);
  const settled = mine.then(
    () => undefined,
    () => undefined,
  );
  turns.set(name, settled);
  settled.then(() => {
    if (turns.get(name) === settled) turns.delete(name);
  });
  return mine;
}
