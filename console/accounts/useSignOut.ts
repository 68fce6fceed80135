import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '#console/api.ts';
import { banner } from '#console/banner.ts';
import { endSession } from '#console/session.ts';
import { discardUnsaved, mayDiscardUnsaved } from '#console/unsaved.ts';
import { logOut } from '#contract/account.ts';
import { CallFailed } from '#contract/client.ts';

/** Ends the session here and on the server. What nothing answered to is not called signed out. */
export function useSignOut(): { run: () => void; busy: boolean } {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  async function run() {
    // Before the session ends: what was typed could not be saved after it.
    if (!(await mayDiscardUnsaved())) return;
    setBusy(true);
    try {
      await call(logOut);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (error.status !== 401) {
        discardUnsaved(false);
        banner.set({ text: `You are still signed in. ${error.message}`, reason: error.reason });
        return;
      }
    } finally {
      setBusy(false);
    }
    banner.set(undefined);
    endSession();
    await navigate({ to: '/login' });
  }

  return { run: () => void run(), busy };
}
