import type { ReactNode } from 'react';
import type { useForm } from '#console/ui/form/useForm.ts';
import { useUnsaved } from '#console/unsaved.ts';
import { Dialog } from './Dialog.tsx';
import { DialogForm } from './DialogForm.tsx';

interface CreateDialogProps {
  /** "Add device" */
  title: string;
  /** The button's words, when they are not the title's. */
  verb?: string;
  form: Pick<ReturnType<typeof useForm>, 'dirty' | 'error' | 'saving' | 'onSubmit'>;
  onClose: () => void;
  /** The fields, up to about five. */
  children: ReactNode;
}

/** An add form that fits a dialog. Open it with `useHashDialog('new')`, so that it has an address. */
export function CreateDialog({ title, verb = title, form, onClose, children }: CreateDialogProps) {
  // The dialog asks by itself; a session that ends meanwhile must not take it away.
  useUnsaved(form.dirty, async () => true);
  return (
    <Dialog title={title} onClose={onClose} dirty={form.dirty}>
      <DialogForm form={form} verb={verb} onCancel={onClose}>
        {children}
      </DialogForm>
    </Dialog>
  );
}
