import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { waitingForProof } from '#console/core/passwordProof.ts';
import { useStore } from '#console/core/store.ts';
import { NotLoaded } from '#console/ui/lazy/LazyPiece.tsx';
import { closeOverlay, overlay } from './overlay.ts';

const loadPalette = () => import('./Palette.tsx');
const loadInspector = () => import('./Inspector.tsx');
const loadShortcuts = () => import('./Shortcuts.tsx');
const loadProof = () => import('./PasswordProof.tsx');

const Palette = lazy(loadPalette);
const Inspector = lazy(loadInspector);
const Shortcuts = lazy(loadShortcuts);
const PasswordProof = lazy(loadProof);

/**
 * Loaded soon after the first screen: users who know the palette type before it could be fetched, the inspector is needed
 * most when the server no longer answers, and the password is asked for in the middle of a save.
 */
const quietMs = 1_500;

/** What is shown over the screen, each in a file of its own. */
export function Overlays() {
  const over = useStore(overlay);
  const proof = useStore(waitingForProof);
  useEffect(() => {
    const timer = setTimeout(() => {
      // A failure is shown when the overlay is opened.
      for (const load of [loadPalette, loadInspector, loadShortcuts, loadProof])
        load().catch(() => undefined);
    }, quietMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <CatchBoundary getResetKey={() => over ?? ''} errorComponent={OverlayMissing}>
        <Suspense>
          {over === 'palette' && <Palette />}
          {over === 'inspector' && <Inspector />}
          {over === 'shortcuts' && <Shortcuts />}
        </Suspense>
      </CatchBoundary>
      {proof && (
        <CatchBoundary getResetKey={() => 'proof'} errorComponent={ProofMissing}>
          <Suspense>
            <PasswordProof {...proof} />
          </Suspense>
        </CatchBoundary>
      )}
    </>
  );
}

/** The screen below stays. */
function OverlayMissing() {
  useEffect(closeOverlay, []);
  return <NotLoaded />;
}

/** The call that waits for the password fails, so that its form can be used again. */
function ProofMissing() {
  useEffect(() => waitingForProof.get()?.done('unavailable'), []);
  return <NotLoaded />;
}
