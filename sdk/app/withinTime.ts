import { noAnswerCame } from '#contract/client.ts';

/**
 * Does work that must end in time, whatever it waits for: a network that swallows packets reports no error by itself.
 * The signal aborts what is left of the work. Written without `AbortSignal.any` and `AbortSignal.timeout`, which some
 * supported runtimes do not have.
 */
export async function withinTime<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  given?: AbortSignal,
): Promise<T> {
  const line = new AbortController();
  const cut = () => line.abort(given?.reason);
  if (given?.aborted) cut();
  given?.addEventListener('abort', cut, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(noAnswerCame());
      line.abort();
    }, ms);
  });
  try {
    return await Promise.race([work(line.signal), late]);
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', cut);
  }
}
