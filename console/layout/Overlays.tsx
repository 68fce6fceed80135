import { lazy, Suspense } from 'react';
import { waitingForProof } from '#console/passwordProof.ts';
import { useStore } from '#console/store.ts';
import { overlay } from './overlay.ts';

const Palette = lazy(() => import('./Palette.tsx'));
const Inspector = lazy(() => import('./Inspector.tsx'));
const Shortcuts = lazy(() => import('./Shortcuts.tsx'));
const PasswordProof = lazy(() => import('./PasswordProof.tsx'));

/** What lies over the screen, each loaded when it is first needed. */
export function Overlays() {
  const over = useStore(overlay);
  const proof = useStore(waitingForProof);
  return (
    <Suspense>
      {over === 'palette' && <Palette />}
      {over === 'inspector' && <Inspector />}
      {over === 'shortcuts' && <Shortcuts />}
      {proof && <PasswordProof done={proof} />}
    </Suspense>
  );
}
