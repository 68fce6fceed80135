import { useEffect } from 'react';
import { invalidateAll } from '#console/api.ts';
import { calls } from '#console/calls.ts';
import { screenFailed } from '#console/serverAway.ts';
import { staleBundle } from '#console/staleBundle.ts';
import { hasUnsaved } from '#console/unsaved.ts';
import { reachServer } from './reachServer.ts';

/** Notices that the server is away by what fails, and goes on once it is back. */
export function useServerWatch(): void {
  useEffect(() => {
    async function onCodeLost(event: Event): Promise<void> {
      // Else the router reloads at once, and with nothing to reload from the whole console would be gone.
      event.preventDefault();
      const isNewer = await reachServer();
      // A browser does not fetch again what it failed to load: only a new page can.
      if (screenFailed.get() && !hasUnsaved() && isFirstReload()) window.location.reload();
      else if (isNewer) staleBundle.set(true);
    }
    const stopWatching = calls.subscribe(() => {
      if (calls.get()[0]?.status === 0) void onUnanswered();
    });
    window.addEventListener('vite:preloadError', onCodeLost);
    return () => {
      stopWatching();
      window.removeEventListener('vite:preloadError', onCodeLost);
    };
  }, []);
}

let isWaiting = false;

/** Once for all calls that fail meanwhile: a server that is just back is not asked the same again for each of them. */
async function onUnanswered(): Promise<void> {
  if (isWaiting) return;
  isWaiting = true;
  const wasAway = !(await reachServer());
  isWaiting = false;
  if (wasAway) await invalidateAll();
}

const reloadKey = 'mooring.reloadedAt';
const reloadPauseMs = 10_000;

/** Once: a file that is missing for good must not reload the page again and again. */
function isFirstReload(): boolean {
  const last = Number(sessionStorage.getItem(reloadKey));
  sessionStorage.setItem(reloadKey, String(Date.now()));
  return Date.now() - last > reloadPauseMs;
}
