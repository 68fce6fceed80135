import { useState } from 'react';
import type { CallFailed } from '#contract/client.ts';
import { failureOf } from './simulation.ts';

/** Does one thing at a time by a press, and says what kept it from being done. */
export function useAct() {
  const [busy, setBusy] = useState<string>();
  const [error, setError] = useState<CallFailed>();
  async function run(what: string, act: () => Promise<unknown>): Promise<void> {
    if (busy !== undefined) return;
    setBusy(what);
    setError(undefined);
    try {
      await act();
    } catch (thrown) {
      setError(failureOf(thrown));
    } finally {
      setBusy(undefined);
    }
  }
  return { busy, error, run };
}
