/** Does something again and again, never twice at once, until it is ended: then what is under way is waited for. */
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
