import { useCall } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import { type Command, cancelCommand } from '#contract/command.ts';
import css from './activity.module.css';
import { HopFacts } from './HopFacts.tsx';

/** What was sent, by whom, when the command reached each stage, and the answer. */
export function CommandDetail({ deviceId, command }: { deviceId: string; command: Command }) {
  const mayCancel = useMay(cancelCommand);
  const cancel = useCall(cancelCommand, { onDone: () => toast('Command cancelled') });
  const { id, args, sentBy, calledAt, requestId, result, stage } = command;
  return (
    <div className={css.detail}>
      <FormError error={cancel.error} />
      <HopFacts
        values={[['Arguments', args], ...(result === undefined ? [] : ([['Result', result]] as const))]}
        by={sentBy}
        {...{ calledAt, requestId }}
        hops={[
          ['Queued', command.createdAt],
          ['Sent', command.sentAt],
          ['Acknowledged', command.acknowledgedAt],
          ['Finished', command.finishedAt],
          ['Answered late', command.answeredLateAt],
        ]}
        end={[
          ['Expires', absoluteTime(command.expiresAt)],
          ['Command', <CopyText key="id" text={id} label="Copy command id" />],
        ]}
      />
      {mayCancel && stage === 'queued' && (
        <Button
          busy={cancel.isPending}
          onClick={() => cancel.mutate({ params: { deviceId, commandId: id } })}
        >
          Cancel command
        </Button>
      )}
    </div>
  );
}
