import { failureText } from '#console/firmware/rollouts/failureWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { Progress } from '#console/ui/state/Progress.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { DeviceUpdate } from '#contract/deviceFirmware.ts';
import css from './deviceFirmware.module.css';
import { hasFailed, isMoving, progressText, updateWords } from './updateWords.ts';

interface UpdateProgressProps {
  update: DeviceUpdate;
  /** Absent: the member may not retry. */
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
}

/** The progress of a device's update, or why it failed and when it is retried. Nothing once the bundle runs. */
export function UpdateProgress({ update, onRetry, isRetrying = false }: UpdateProgressProps) {
  const { state, stateAt, bundle, percent } = update;
  if (hasFailed(update)) return <Failure update={update} onRetry={onRetry} isRetrying={isRetrying} />;
  if (state === 'waiting')
    return (
      <p className={css.note}>
        <b dir="auto">{bundle?.name}</b> is assigned; the device gets it when it connects.
      </p>
    );
  if (!isMoving(update)) return null;
  return (
    <Progress
      label={`${bundle?.name ?? ''}: ${progressText(update)}`}
      part={percent === undefined ? undefined : percent / 100}
      action={
        <span className={css.small}>
          <TimeAgo time={stateAt} />
        </span>
      }
    />
  );
}

function Failure({ update, onRetry, isRetrying }: UpdateProgressProps) {
  const { state, stateAt, bundle, code, error, retryAt, attempts } = update;
  return (
    <div className={css.failure} data-tone={state === 'declined' ? 'quiet' : 'danger'}>
      <p>
        <b dir="auto">{bundle?.name}</b> {updateWords[state].word.toLowerCase()} <TimeAgo time={stateAt} />
        {attempts > 1 && `, ${attempts} tries`}
      </p>
      {code && (
        <p>
          <code>{code}</code> <span className={css.small}>{failureText(code)}</span>
        </p>
      )}
      {error && <code className={css.said}>{error}</code>}
      {retryAt && (
        <p className={css.small}>
          Next try <TimeAgo time={retryAt} ahead />
        </p>
      )}
      {onRetry && (
        <Button busy={isRetrying === true} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
