import { useEffect, useRef, useState } from 'react';
import { CallFailed } from '#contract/client.ts';

const quietMs = 300;

/**
 * Asks the server about the typed text whenever typing pauses; undefined until it has answered. `about` identifies the
 * question; undefined: there is nothing to ask.
 */
export function useWhileTyping<Answer>(
  about: string | undefined,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Answer | CallFailed | undefined {
  const [answer, setAnswer] = useState<Answer | CallFailed>();
  const latest = useRef(ask);
  latest.current = ask;

  useEffect(() => {
    if (about === undefined) return undefined;
    const asking = new AbortController();
    const timer = setTimeout(() => {
      latest.current(asking.signal).then(setAnswer, (error: unknown) => {
        if (asking.signal.aborted) return;
        if (!(error instanceof CallFailed)) throw error;
        setAnswer(error);
      });
    }, quietMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [about]);

  return answer;
}
