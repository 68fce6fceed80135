import { setImmediate as others } from 'node:timers/promises';

/** For a long loop: yields to the event loop after working this long without a pause. */
export function yieldsEvery(ms: number): () => Promise<void> | undefined {
  let sinceMs = performance.now();
  return () => {
    if (performance.now() - sinceMs < ms) return undefined;
    return others().then(() => {
      sinceMs = performance.now();
    });
  };
}
