import { Button } from '#console/ui/Button.tsx';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import { CallFailed } from '#contract/client.ts';
import { EmptyState } from './EmptyState.tsx';
import { failureText } from './failureText.ts';
import { isGeneral, notLoadedCode } from './notLoaded.ts';

interface ErrorStateProps {
  /** What could not be shown: "The projects". */
  what: string;
  error: Error;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
}

/** Replaces the part that failed; the rest of the page keeps working. */
export function ErrorState({ what, error, onRetry, retrying = false }: ErrorStateProps) {
  const known = error instanceof CallFailed ? error : undefined;
  return (
    <div role="alert">
      <EmptyState
        icon={<WarningIcon size={24} />}
        title={`${what} could not be loaded`}
        action={
          onRetry && (
            <Button busy={retrying} onClick={onRetry}>
              Retry
            </Button>
          )
        }
      >
        <p>{known ? failureText(known) : 'Something went wrong in the console. Reload the page.'}</p>
        {(!known || isGeneral(known)) && <code>{notLoadedCode(what)}</code>}{' '}
        <code>{known?.reason ?? error.name}</code>
      </EmptyState>
    </div>
  );
}
