import { type ReactNode, useRef } from 'react';
import type { useForm } from '#console/ui/form/useForm.ts';
import { Dialog, discardWords } from './Dialog.tsx';
import { DialogForm } from './DialogForm.tsx';
import { UnsavedChangesGuard } from './UnsavedChangesGuard.tsx';

interface CreateDialogProps {
  /** "Add device" */
  title: string;
  /** The button's label, if it differs from the title. */
  verb?: string;
  form: Pick<ReturnType<typeof useForm>, 'dirty' | 'error' | 'saving' | 'isSaved' | 'onSubmit'>;
  onClose: () => void;
  /** Up to about five fields. */
  children: ReactNode;
}

/** An add form that fits into a dialog. Open it with `useHashDialog('new')`, so that it has an address. */
export function CreateDialog({ title, verb = title, form, onClose, children }: CreateDialogProps) {
  // Closing it by Cancel, Esc or its answer has been decided here; Back, a reload and signing out are still asked about.
  const isClosing = useRef(false);
  const close = () => {
    isClosing.current = true;
    onClose();
  };
  return (
    <Dialog title={title} onClose={close} dirty={form.dirty}>
      <DialogForm form={form} verb={verb} onCancel={close}>
        {children}
      </DialogForm>
      <UnsavedChangesGuard
        ofDialog
        {...discardWords}
        dirty={form.dirty}
        saving={form.saving}
        isGivenUp={() => isClosing.current || form.isSaved()}
      />
    </Dialog>
  );
}
