import { useEffect } from 'react';
import { invalidate, useRead } from '#console/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { Progress } from '#console/ui/state/Progress.tsx';
import { useUrlState } from '#console/urlState.ts';
import { actOnDevices, type DeviceAction, readDeviceAction } from '#contract/deviceBulk.ts';

const askAgainMs = 1000;

const doing = { suspend: 'Suspending', resume: 'Resuming', move: 'Moving', delete: 'Deleting' } as const;
const did = { suspend: 'Suspended', resume: 'Resumed', move: 'Moved', delete: 'Deleted' } as const;

/** How far an action on many devices is. Its id is in the address: it goes on when the page is left, and is found again. */
export function ActionProgress({ projectId }: { projectId: string }) {
  const [{ action: actionId }, change] = useUrlState();
  const { data, error } = useRead(
    readDeviceAction,
    { params: { projectId, actionId: actionId ?? '' } },
    {
      enabled: actionId !== undefined,
      refetchInterval: last => (last === undefined || last.state === 'running' ? askAgainMs : false),
    },
  );
  const isOver = data !== undefined && data.state !== 'running';
  useEffect(() => {
    if (isOver) void invalidate(actOnDevices, { projectId });
  }, [isOver, projectId]);
  if (actionId === undefined) return null;
  if (!data && error) return <FormError error={error} />;
  if (!data) return null;
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

function wordsOf({ action, state, total, done, error }: DeviceAction): string {
  const count = (number: number) => number.toLocaleString('en');
  if (state === 'failed') return `Stopped after ${count(done)} of ${count(total)} devices. ${error ?? ''}`;
  if (state === 'done') return `${did[action]} ${count(done)} devices.`;
  return `${doing[action]} ${count(done)} of ${count(total)} devices`;
}
