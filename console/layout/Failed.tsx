import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { unexpectedError } from '#console/routeFailures.ts';
import { Button } from '#console/ui/Button.tsx';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { isGeneral } from '#console/ui/state/notLoaded.ts';
import { CallFailed } from '#contract/client.ts';

/** A screen that could not be reached, or broke. What stands around it stays alive. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const known = error instanceof CallFailed ? error : undefined;
  return (
    <div role="alert">
      <EmptyState
        icon={<WarningIcon size={24} />}
        title={unexpectedError}
        action={
          <Button
            onClick={() => {
              reset();
              void router.invalidate();
            }}
          >
            Retry
          </Button>
        }
      >
        {known && <p>{known.message}</p>}
        {/* What a route waits for beside the organization is the project. */}
        {known && isGeneral(known) && <code>PROJECT_NOT_LOADED</code>}{' '}
        <code>{known?.reason ?? (error instanceof Error ? error.name : 'Error')}</code>
      </EmptyState>
    </div>
  );
}
