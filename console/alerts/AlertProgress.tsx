import { useEffect } from 'react';
import { invalidate, useRead } from '#console/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { Progress } from '#console/ui/state/Progress.tsx';
import { useUrlState } from '#console/urlState.ts';
import { type AlertAction, actOnAlerts, readAlertAction } from '#contract/alert.ts';
import { actWords } from './alertWords.ts';

const askAgainMs = 1000;

/** How far an action on many alerts is. Its id is in the address: it goes on when the page is left, and is found again. */
export function AlertProgress({ projectId }: { projectId: string }) {
  const [{ action: actionId }, change] = useUrlState();
  const { data, error } = useRead(
    readAlertAction,
    { params: { projectId, actionId: actionId ?? '' } },
    {
      enabled: actionId !== undefined,
      refetchInterval: last => (last === undefined || last.state === 'running' ? askAgainMs : false),
    },
  );
  const isOver = data !== undefined && data.state !== 'running';
  useEffect(() => {
    if (isOver) void invalidate(actOnAlerts, { projectId });
  }, [isOver, projectId]);
  if (actionId === undefined) return null;
  if (!data) return error ? <FormError error={error} /> : null;
  return (
    <Progress
      label={wordsOf(data)}
      part={data.total === 0 ? 1 : data.done / data.total}
      tone={data.state === 'failed' ? 'danger' : data.state === 'done' ? 'ok' : 'busy'}
      action={
        isOver && (
          <Button variant="quiet" onClick={() => change({ action: undefined }, { replace: true })}>
            Dismiss
          </Button>
        )
      }
    />
  );
}

function wordsOf({ action, state, total, done, error }: AlertAction): string {
  const count = (number: number) => number.toLocaleString('en');
  if (state === 'failed') return `Stopped after ${count(done)} of ${count(total)} alerts. ${error ?? ''}`;
  if (state === 'done') return `${actWords[action].done} ${count(done)} alerts.`;
  return `${actWords[action].doing} ${count(done)} of ${count(total)} alerts`;
}
