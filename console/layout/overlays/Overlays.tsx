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
 * After the first screen: whoever knows the palette types before it could be fetched, and the inspector is wanted most
 * when the server answers no more.
 */
const quietMs = 1_500;

/** What lies over the screen, each in a file of its own. */
export function Overlays() {
  const over = useStore(overlay);
  const proof = useStore(waitingForProof);
  useEffect(() => {
    const timer = setTimeout(() => {
      // A failure is told to whoever opens it.
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

/** The screen under it stays. A browser does not fetch again what it failed to load: the band offers to reload. */
function NotLoaded() {
  useEffect(() => {
    staleBundle.set(true);
    closeOverlay();
  }, []);
  return null;
}
