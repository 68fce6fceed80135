import { useCall } from '#console/core/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { type AlertSubscription, endAlertSubscription, setAlertSubscription } from '#contract/alertMail.ts';
import { alertMailMinutes } from '#rules/devices/alertLimits.ts';
import css from './alerts.module.css';
import { severities, severityWords } from './alertWords.ts';

interface AlertMailsDialogProps {
  projectId: string;
  /** Absent: the developer gets no e-mails yet. */
  own: AlertSubscription | undefined;
  onClose: () => void;
}

const here = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** From which severity on the developer gets e-mails about alerts, and the quiet hours. */
export function AlertMailsDialog({ projectId, own, onClose }: AlertMailsDialogProps) {
  const save = useCall(setAlertSubscription);
  const end = useCall(endAlertSubscription, {
    onDone() {
      toast('E-mails about alerts are off');
      onClose();
    },
  });
  const params = { projectId };
  const form = useForm({
    initial: {
      severity: own?.severity ?? ('warning' as AlertSubscription['severity']),
      isQuiet: own?.quiet !== undefined,
      from: own?.quiet?.from ?? '22:00',
      to: own?.quiet?.to ?? '07:00',
      timeZone: own?.quiet?.timeZone ?? here(),
    },
    check: ({ isQuiet, from, to }) => (isQuiet && from === to ? { to: 'SAME_TIMES' } : {}),
    async submit({ severity, isQuiet, from, to, timeZone }) {
      const quiet = isQuiet && { quiet: { from, to, timeZone: timeZone.trim() } };
      await save.mutateAsync({ params, body: { severity, ...quiet } });
      toast('E-mails about alerts are on');
      onClose();
    },
  });
  return (
    <CreateDialog title="E-mails about alerts" verb={own ? 'Save' : 'Turn on'} form={form} onClose={onClose}>
      <p className={css.lead}>
        You get an e-mail when an alert is raised or gets worse, at most one every {alertMailMinutes} minutes.
        It lists all new alerts that are still open.
      </p>
      <SelectField
        label="Minimum severity"
        {...form.field('severity')}
        onChange={value => form.set('severity', value as AlertSubscription['severity'])}
        options={severities.map(value => ({ value, label: severityWords[value].word }))}
      />
      <Checkbox
        label="Quiet hours"
        checked={form.values.isQuiet}
        onChange={value => form.set('isQuiet', value)}
      />
      {form.values.isQuiet && (
        <div className={css.quietTime}>
          <TextField label="From" type="time" required {...form.field('from')} />
          <TextField label="To" type="time" required {...form.field('to')} />
          <TextField label="Time zone" {...form.field('timeZone')} maxLength={64} />
        </div>
      )}
      {own && (
        <div>
          <Button variant="quiet" busy={end.isPending} onClick={() => end.mutate({ params })}>
            Turn off e-mails
          </Button>
          <FormError error={end.error} />
        </div>
      )}
    </CreateDialog>
  );
}
