import { useEffect } from 'react';
import { useRead } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import type { actOnAlerts, readAlertAction } from '#contract/alert.ts';
import type { Result } from '#contract/client.ts';
import type { actOnDevices, readDeviceAction } from '#contract/deviceBulk.ts';
import { numberText } from '#rules/text/numberText.ts';
import { FormError } from './FormError.tsx';
import { Progress } from './Progress.tsx';

const askAgainMs = 1000;

type Reading = typeof readAlertAction | typeof readDeviceAction;
type Action = Result<Reading>;

interface BulkProgressProps {
  projectId: string;
  read: Reading;
  /** The call that started it, which declares the reads that the action affects. */
  act: typeof actOnAlerts | typeof actOnDevices;
  /** The words for it while it runs and when it is done. */
  words: { readonly [act in Action['action']]?: { doing: string; done: string } };
  noun: 'alert' | 'device';
}

/**
 * The progress of an action on many rows. Its id is in the address: it continues when the page is left, and is found
 * again.
 */
export function BulkProgress(props: BulkProgressProps) {
  const { projectId, read, act } = props;
  const [{ action: actionId }, change] = useUrlState();
  const { data, error } = useRead(
    read,
    { params: { projectId, actionId: actionId ?? '' } },
    {
      enabled: actionId !== undefined,
      refetchInterval: last => (last === undefined || last.state === 'running' ? askAgainMs : false),
    },
  );
  const isOver = data !== undefined && data.state !== 'running';
  useEffect(() => {
    if (isOver) void invalidate(act, { projectId });
  }, [isOver, projectId, act]);
  if (actionId === undefined) return null;
  if (!data) return error ? <FormError error={error} /> : null;
  return (
    <Progress
      label={wordsOf(data, props)}
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

function wordsOf({ action, state, total, done, error }: Action, { words, noun }: BulkProgressProps): string {
  const counted = (count: number) => `${numberText(count)} ${count === 1 ? noun : `${noun}s`}`;
  if (state === 'failed') return `Stopped after ${numberText(done)} of ${counted(total)}. ${error ?? ''}`;
  if (state === 'done') return `${words[action]?.done} ${counted(done)}.`;
  return `${words[action]?.doing} ${numberText(done)} of ${counted(total)}`;
}
