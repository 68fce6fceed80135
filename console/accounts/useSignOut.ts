import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '#console/api.ts';
import { banner } from '#console/banner.ts';
import { endSession } from '#console/session.ts';
import { logOut } from '#contract/account.ts';
import { CallFailed } from '#contract/client.ts';

/** Ends the session here and on the server. What nothing answered to is not called signed out. */
export function useSignOut(): { run: () => void; busy: boolean } {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  async function run() {
    setBusy(true);
    try {
      await call(logOut);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (error.status !== 401) {
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
