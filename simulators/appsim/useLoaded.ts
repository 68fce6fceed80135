import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallFailed } from '#contract/client.ts';
import { failureOf } from './simulation.ts';

export interface Loaded<T> {
  data: T | undefined;
  error: CallFailed | undefined;
  reload: () => void;
}

/**
 * The answer of a call, requested again whenever `key` changes. The previous answer stays until the new one arrives.
 */
export function useLoaded<T>(read: () => Promise<T>, key: unknown): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: CallFailed }>({});
  const latest = useRef(read);
  latest.current = read;
  const asked = useRef(0);
  const reload = useCallback(() => {
    const mine = ++asked.current;
    latest.current().then(
      data => mine === asked.current && setState({ data }),
      error => mine === asked.current && setState(before => ({ ...before, error: failureOf(error) })),
    );
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` determines when to read again
  useEffect(() => {
    reload();
    return () => {
      asked.current++;
    };
  }, [key, reload]);
  return { data: state.data, error: state.error, reload };
}
