/** Resolves after the time, or rejects when the signal aborts it. */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Timers longer than this fire at once. */
const timerMaxMs = 2 ** 31 - 1;

export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; left > 0; left -= timerMaxMs) {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, Math.min(left, timerMaxMs));
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
