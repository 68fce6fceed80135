import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { staleBundle } from '#console/core/staleBundle.ts';

interface LazyPieceProps {
  /** Shown while the code is loading. */
  waiting: ReactNode;
  /** Shown if it could not be loaded: after an upgrade, the files of the console that runs are gone. */
  instead?: ReactNode;
  children: ReactNode;
}

/**
 * The place of a component with a file of its own. If the file cannot be loaded, only this piece is missing: the page
 * around it keeps what was typed, and a band offers to reload. A browser does not retry a module that failed to load.
 */
export function LazyPiece({ waiting, instead = <Missing />, children }: LazyPieceProps) {
  return (
    <CatchBoundary getResetKey={() => 0} errorComponent={() => <NotLoaded>{instead}</NotLoaded>}>
      <Suspense fallback={waiting}>{children}</Suspense>
    </CatchBoundary>
  );
}

export function NotLoaded({ children }: { children?: ReactNode }) {
  useEffect(() => staleBundle.set(true), []);
  return children;
}

function Missing() {
  return <p role="status">This part of the console could not be loaded. Reload the page to see it.</p>;
}
