import { setImmediate as others } from 'node:timers/promises';

/** For a loop that works long: lets others have a turn of the event loop once it has worked so long without a pause. */
export function yieldsEvery(ms: number): () => Promise<void> | undefined {
  let sinceMs = performance.now();
  return () => {
    if (performance.now() - sinceMs < ms) return undefined;
    return others().then(() => {
      sinceMs = performance.now();
    });
  };
}
