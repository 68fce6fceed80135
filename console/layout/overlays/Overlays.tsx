import { lazy, Suspense, useEffect } from 'react';
import { waitingForProof } from '#console/passwordProof.ts';
import { useStore } from '#console/store.ts';
import { overlay } from './overlay.ts';

const loadPalette = () => import('./Palette.tsx');
const Palette = lazy(loadPalette);
const Inspector = lazy(() => import('./Inspector.tsx'));
const Shortcuts = lazy(() => import('./Shortcuts.tsx'));
const PasswordProof = lazy(() => import('./PasswordProof.tsx'));

/** After the first screen: whoever knows the palette types before it could be fetched. */
const quietMs = 1_500;

/** What lies over the screen, each loaded when it is first needed. */
export function Overlays() {
  const over = useStore(overlay);
  const proof = useStore(waitingForProof);
  useEffect(() => {
    // A failure is told to whoever opens it.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), quietMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Suspense>
      {over === 'palette' && <Palette />}
      {over === 'inspector' && <Inspector />}
      {over === 'shortcuts' && <Shortcuts />}
      {proof && <PasswordProof {...proof} />}
    </Suspense>
  );
}
