/** Runs a function repeatedly, never concurrently, until stopped; stopping waits for the run in progress. */
export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  let isEnded = false;
  let working: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const next = () => {
    timer = setTimeout(() => {
      working = work()
        .catch(failed)
        .finally(() => {
          if (!isEnded) next();
        });
    }, everyMs);
  };
  next();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    return working;
  };
}
