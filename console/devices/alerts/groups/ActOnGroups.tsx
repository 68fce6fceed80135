import { type AlertAct, actWords, alertsSaid } from '#console/devices/alerts/alertWords.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { noteMax } from '#contract/alert.ts';
import { numberText } from '#rules/text/numberText.ts';
import type { ActedOn } from './useGroupActs.tsx';

export interface ActingOnGroups {
  act: AlertAct;
  on: ActedOn;
}

interface ActOnGroupsProps extends ActingOnGroups {
  /** Returns whether it worked. */
  run: (note: string) => Promise<boolean>;
  onClose: () => void;
}

/** Asks for the note that is kept with each of the alerts. */
export function ActOnGroups({ act, on, run, onClose }: ActOnGroupsProps) {
  const count = on.groups.reduce((sum, group) => sum + group.alerts, 0) + on.alerts.length;
  const form = useForm({
    initial: { note: '' },
    async submit({ note }) {
      if (await run(note.trim())) onClose();
    },
  });
  return (
    <CreateDialog
      title={`${actWords[act].verb} ${alertsSaid(numberText(count))}`}
      form={form}
      onClose={onClose}
    >
      <TextArea
        label="Note"
        hint="What you found or did, for the rest of the team."
        rows={3}
        maxLength={noteMax}
        {...form.field('note')}
      />
    </CreateDialog>
  );
}
