import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { Button } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { ClockIcon } from '#console/ui/icons/icons.tsx';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { editPreviousSecret, endPreviousSecret, type Key } from '#contract/key.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayMs } from '#rules/time/durations.ts';
import { GraceLine } from './GraceLine.tsx';
import css from './secret.module.css';

type Previous = NonNullable<Key['previousSecret']>;
interface PreviousSecretProps {
  keyRow: Key;
  previous: Previous;
}

/** How long the old secret still works, whether anyone still uses it, and buttons to end or extend it. */
export function PreviousSecret({ keyRow, previous }: PreviousSecretProps) {
  const [asked, setAsked] = useState<'end' | 'more'>();
  const mayEdit = useMay(endPreviousSecret);
  const close = () => setAsked(undefined);
  return (
    <>
      <GraceLine from={keyRow.secretCreatedAt} to={previous.until} />
      <p className={css.still} data-quiet={previous.uses === 0 || undefined}>
        <ClockIcon />
        <span>
          The previous secret still works. <Uses previous={previous} />
        </span>
      </p>
      {mayEdit && (
        <div className={css.buttons}>
          <Button onClick={() => setAsked('end')}>End it now</Button>
          <Button variant="quiet" onClick={() => setAsked('more')}>
            Give it more time
          </Button>
        </div>
      )}
      {asked === 'end' && <EndIt keyRow={keyRow} previous={previous} onClose={close} />}
      {asked === 'more' && <MoreTime keyRow={keyRow} previous={previous} onClose={close} />}
    </>
  );
}

function Uses({ previous: { uses, lastUsedAt, lastUsedFrom } }: { previous: Previous }) {
  if (uses === 0) return 'It has not been used since the rotation.';
  return (
    <>
      It was used {uses === 1 ? 'once' : `${numberText(uses)} times`} since the rotation
      {lastUsedAt && (
        <>
          , last <TimeAgo time={lastUsedAt} />
        </>
      )}
      {lastUsedFrom && (
        <>
          {' '}
          from <code className={css.small}>{lastUsedFrom}</code>
        </>
      )}
      .
    </>
  );
}

type DialogProps = PreviousSecretProps & { onClose: () => void };

function EndIt({ keyRow: { id: keyId }, previous, onClose }: DialogProps) {
  const end = useCall(endPreviousSecret, { onDone: () => toast('Previous secret ended') });
  return (
    <Confirm
      title="End the previous secret?"
      verb="End secret"
      onConfirm={() => end.mutateAsync({ params: { keyId } })}
      onClose={onClose}
    >
      <p>
        Calls with the secret ending in <code>{previous.end}</code> are refused immediately.{' '}
        <Uses previous={previous} />
      </p>
    </Confirm>
  );
}

const times = [
  { value: '1', label: '1 day from now' },
  { value: '7', label: '7 days from now' },
  { value: '30', label: '30 days from now' },
];

function MoreTime({ keyRow: { id: keyId }, previous, onClose }: DialogProps) {
  const edit = useCall(editPreviousSecret);
  const left = Date.parse(previous.until) - serverNow();
  // A time shorter than what is left would not extend it.
  const longer = times.filter(({ value }) => Number(value) * dayMs > left);
  const choices = longer.length > 0 ? longer : times.slice(-1);
  const form = useForm({
    initial: { until: choices[0]?.value ?? '30' },
    async submit({ until }) {
      const body = { until: new Date(serverNow() + Number(until) * dayMs).toISOString() };
      await edit.mutateAsync({ params: { keyId }, body });
      toast('Previous secret works longer');
      onClose();
    },
  });
  return (
    <CreateDialog
      title="Give the previous secret more time"
      verb="Give more time"
      form={form}
      onClose={onClose}
    >
      <p>It works until {absoluteTime(previous.until)}. A leaked secret keeps working just as long.</p>
      <SelectField label="Works until" options={choices} {...form.field('until')} />
    </CreateDialog>
  );
}
