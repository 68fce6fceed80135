import type { ReactNode } from 'react';
import type { useForm } from '#console/ui/form/useForm.ts';
import { useUnsaved } from '#console/unsaved.ts';
import { Dialog } from './Dialog.tsx';
import { DialogForm } from './DialogForm.tsx';

interface CreateDialogProps {
  /** "Add device" */
  title: string;
  /** The button's label, if it differs from the title. */
  verb?: string;
  form: Pick<ReturnType<typeof useForm>, 'dirty' | 'error' | 'saving' | 'onSubmit'>;
  onClose: () => void;
  /** Up to about five fields. */
  children: ReactNode;
}

/** An add form that fits into a dialog. Open it with `useHashDialog('new')`, so that it has an address. */
export function CreateDialog({ title, verb = title, form, onClose, children }: CreateDialogProps) {
  // The dialog itself asks before closing; a session that ends meanwhile must not remove it.
  useUnsaved(form.dirty, async () => true);
  return (
    <Dialog title={title} onClose={onClose} dirty={form.dirty}>
      <DialogForm form={form} verb={verb} onCancel={onClose}>
        {children}
      </DialogForm>
    </Dialog>
  );
}
