import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { noteMax } from '#contract/alert.ts';
import { type AlertAct, actWords } from './alertWords.ts';

interface AlertNoteDialogProps {
  act: AlertAct;
  /** "alert", "3 alerts" */
  said: string;
  /** Returns whether it worked. */
  run: (note: string) => Promise<boolean>;
  onClose: () => void;
}

/** Asks for the note that is kept with each of the alerts, before they are acknowledged, resolved or reopened. */
export function AlertNoteDialog({ act, said, run, onClose }: AlertNoteDialogProps) {
  const form = useForm({
    initial: { note: '' },
    async submit({ note }) {
      if (await run(note.trim())) onClose();
    },
  });
  return (
    <CreateDialog title={`${actWords[act].verb} ${said}`} form={form} onClose={onClose}>
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
