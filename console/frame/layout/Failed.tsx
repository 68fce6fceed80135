import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { screenFailed, serverAway } from '#console/core/live/serverAway.ts';
import { unexpectedError } from '#console/core/routeFailures.ts';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { failureText } from '#console/ui/state/failureText.ts';
import { isGeneral } from '#console/ui/state/notLoaded.ts';
import { CallFailed } from '#contract/client.ts';

/** Shown if a screen could not be loaded or has crashed. Everything around it keeps working. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  // If the server is away, the screen opens by itself once the server is back.
  const away = useStore(serverAway);
  useEffect(() => {
    screenFailed.set(true);
    return () => screenFailed.set(false);
  }, []);
  const known = error instanceof CallFailed ? error : undefined;
  return (
    <div role="alert">
      <EmptyState
        icon={<WarningIcon size={24} />}
        title={away ? 'This page could not be loaded' : unexpectedError}
        action={
          !away && (
            <Button
              onClick={() => {
                reset();
                void router.invalidate();
              }}
            >
              Retry
            </Button>
          )
        }
      >
        {away ? <p>It opens when Mooring answers again.</p> : known && <p>{failureText(known)}</p>}
        {/* Apart from the organization, a route waits only for the project. */}
        {known && isGeneral(known) && <code>PROJECT_NOT_LOADED</code>}{' '}
        <code>
          {away ? 'CONNECTION_ERROR' : (known?.reason ?? (error instanceof Error ? error.name : 'Error'))}
        </code>
      </EmptyState>
    </div>
  );
}
