import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { banner } from '#console/core/banner.ts';
import { call } from '#console/core/client.ts';
import { endSession } from '#console/core/session.ts';
import { discardUnsaved, mayDiscardUnsaved } from '#console/core/unsaved.ts';
import { logOut } from '#contract/account.ts';
import { CallFailed } from '#contract/client.ts';

/**
 * Ends the session here and on the server. If the server does not answer, the developer stays signed in and is told so.
 */
export function useSignOut(): { run: () => void; busy: boolean } {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  async function run() {
    // Asked before the session ends, because unsaved changes could not be saved afterwards.
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
