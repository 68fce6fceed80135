/** The part of Web Locks that is used. */
interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

const turns = new Map<string, Promise<unknown>>();

/**
 * Runs tasks with the same name one at a time: across all tabs of a browser by its locks, otherwise within this
 * program. Programs that share a storage without locks do no harm either; see `SessionKeeper`.
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
