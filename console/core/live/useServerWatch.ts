import { useEffect } from 'react';
import { calls } from '#console/core/calls.ts';
import { invalidateAll } from '#console/core/client.ts';
import { staleBundle } from '#console/core/staleBundle.ts';
import { hasUnsaved } from '#console/core/unsaved.ts';
import { reachServer } from './reachServer.ts';
import { screenFailed } from './serverAway.ts';

/** Notices from failing calls that the server is away, and continues once it is back. */
export function useServerWatch(): void {
  useEffect(() => {
    async function onCodeLost(event: Event): Promise<void> {
      // Otherwise the router reloads the page at once, and without a server the whole console would be gone.
      event.preventDefault();
      const isNewer = await reachServer();
      // A browser does not retry a module that failed to load; only a new page can.
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

/**
 * Once for all calls that fail meanwhile, so that a server that has just come back does not get the same requests for
 * each.
 */
async function onUnanswered(): Promise<void> {
  if (isWaiting) return;
  isWaiting = true;
  const wasAway = !(await reachServer());
  isWaiting = false;
  if (wasAway) await invalidateAll();
}

const reloadKey = 'mooring.reloadedAt';
const reloadPauseMs = 10_000;

/** Limits reloads, so that a permanently missing file does not reload the page again and again. */
function isFirstReload(): boolean {
  const last = Number(sessionStorage.getItem(reloadKey));
  sessionStorage.setItem(reloadKey, String(Date.now()));
  return Date.now() - last > reloadPauseMs;
}
