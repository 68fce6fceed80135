import { useState } from 'react';
import type { CallFailed } from '#contract/client.ts';
import { failureOf } from './simulation.ts';

/** Runs one action at a time, and provides its error. */
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
