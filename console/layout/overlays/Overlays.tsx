import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { waitingForProof } from '#console/passwordProof.ts';
import { staleBundle } from '#console/staleBundle.ts';
import { useStore } from '#console/store.ts';
import { closeOverlay, overlay } from './overlay.ts';

const loadPalette = () => import('./Palette.tsx');
const loadInspector = () => import('./Inspector.tsx');
const loadShortcuts = () => import('./Shortcuts.tsx');

const Palette = lazy(loadPalette);
const Inspector = lazy(loadInspector);
const Shortcuts = lazy(loadShortcuts);
const PasswordProof = lazy(() => import('./PasswordProof.tsx'));

/**
 * Loaded soon after the first screen: users who know the palette type before it could be fetched, and the inspector is
 * needed most when the server no longer answers.
 */
const quietMs = 1_500;

/** What is shown over the screen, each in a file of its own. */
export function Overlays() {
  const over = useStore(overlay);
  const proof = useStore(waitingForProof);
  useEffect(() => {
    const timer = setTimeout(() => {
      // A failure is shown when the overlay is opened.
      for (const load of [loadPalette, loadInspector, loadShortcuts]) load().catch(() => undefined);
    }, quietMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <CatchBoundary getResetKey={() => over ?? ''} errorComponent={NotLoaded}>
      <Suspense>
        {over === 'palette' && <Palette />}
        {over === 'inspector' && <Inspector />}
        {over === 'shortcuts' && <Shortcuts />}
        {proof && <PasswordProof {...proof} />}
      </Suspense>
    </CatchBoundary>
  );
}

/**
 * The screen below stays. A browser does not retry a module that failed to load, so the band offers to reload the page.
 */
function NotLoaded() {
  useEffect(() => {
    staleBundle.set(true);
    closeOverlay();
  }, []);
  return null;
}
