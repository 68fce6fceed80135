import { useSubmit } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { noteMax } from '#contract/alert.ts';
import { type AlertSelection, performOnAlerts } from './alertSelection.ts';
import { type AlertAct, actWords } from './alertWords.ts';

export interface ActingOnAlerts {
  act: AlertAct;
  selection: AlertSelection;
  clear?: () => void;
}

/** Asks for a note before alerts are acknowledged, resolved or reopened. A running job is named in the address. */
export function ActOnAlerts({ act, selection, clear, onClose }: ActingOnAlerts & { onClose: () => void }) {
  const [, changeUrl] = useUrlState();
  const submit = useSubmit();
  const { verb, done } = actWords[act];
  const title = `${verb} ${'id' in selection ? 'alert' : selection.said}`;
  const form = useForm({
    initial: { note: '' },
    async submit({ note }) {
      const { job } = await performOnAlerts(submit, act, selection, note.trim());
      clear?.();
      if (job?.state === 'running') changeUrl({ action: job.id }, { replace: true });
      else toast('id' in selection ? `Alert ${done.toLowerCase()}` : `${done} ${selection.said}`);
      onClose();
    },
  });
  return (
    <CreateDialog title={title} form={form} onClose={onClose}>
      <TextArea
        label="Note"
        hint="Optional. What you found or did, for the rest of the team."
        rows={3}
        maxLength={noteMax}
        {...form.field('note')}
      />
    </CreateDialog>
  );
}
