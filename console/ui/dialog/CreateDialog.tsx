import type { ReactNode } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import type { useForm } from '#console/ui/form/useForm.ts';
import { Dialog, DialogBody, DialogFooter } from './Dialog.tsx';

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
  return (
    <Dialog title={title} onClose={onClose} dirty={form.dirty}>
      <form onSubmit={form.onSubmit} noValidate>
        <DialogBody>
          <FormError error={form.error} />
          {children}
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.saving}>
            {verb}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
