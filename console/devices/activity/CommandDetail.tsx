import { useCall } from '#console/api.ts';
import { useMay } from '#console/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { textOfJson } from '#console/ui/code/jsonText.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { Facts } from '#console/ui/screen/Panel.tsx';
import { absoluteTime, durationText } from '#console/ui/state/TimeAgo.tsx';
import { type Command, cancelCommand } from '#contract/command.ts';
import css from './activity.module.css';

/** What was sent, by whom, when it reached which stage and what came back. */
export function CommandDetail({ deviceId, command }: { deviceId: string; command: Command }) {
  const mayCancel = useMay(cancelCommand);
  const cancel = useCall(cancelCommand, { onDone: () => toast('Command cancelled') });
  const { id, args, sentBy, calledAt, requestId, createdAt, expiresAt, result, stage } = command;
  const { sentAt, acknowledgedAt, finishedAt, answeredLateAt } = command;
  const moment = (name: string, at: string | undefined) =>
    at ? ([[name, <After key={name} time={at} since={calledAt ?? createdAt} />]] as const) : [];
  return (
    <div className={css.detail}>
      <FormError error={cancel.error} />
      <Facts
        facts={[
          ['Arguments', <Json key="args" value={args} />],
          ...(result === undefined ? [] : ([['Result', <Json key="result" value={result} />]] as const)),
          ['By', `${sentBy.displayName || sentBy.id} (${sentBy.callerType})`],
          ...(calledAt
            ? ([['Call arrived', absoluteTime(calledAt)], ...moment('Queued', createdAt)] as const)
            : ([['Queued', absoluteTime(createdAt)]] as const)),
          ...moment('Sent', sentAt),
          ...moment('Acknowledged', acknowledgedAt),
          ...moment('Finished', finishedAt),
          ...moment('Answered late', answeredLateAt),
          ['Expires', absoluteTime(expiresAt)],
          ...(requestId
            ? ([['Request', <CopyText key="request" text={requestId} label="Copy request id" />]] as const)
            : []),
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

/** How long after the call arrived: what one wants to know of a command is how fast it went. */
function After({ time, since }: { time: string; since: string }) {
  const ms = Date.parse(time) - Date.parse(since);
  return (
    <time dateTime={time} title={absoluteTime(time)}>
      {ms < 10_000 ? `${Math.max(0, ms)} ms` : durationText(ms)} later
    </time>
  );
}

function Json({ value }: { value: unknown }) {
  return <code className={css.value}>{textOfJson(value)}</code>;
}
