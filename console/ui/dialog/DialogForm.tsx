import type { ReactNode } from 'react';
import { Button } from '#console/ui/Button.tsx';
import type { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { DialogBody, DialogFooter } from './Dialog.tsx';

interface DialogFormProps {
  form: Pick<ReturnType<typeof useForm>, 'error' | 'saving' | 'onSubmit'>;
  verb: string;
  danger?: boolean;
  onCancel: () => void;
  /** The fields. */
  children: ReactNode;
}

/** The form of a dialog: why it failed, its fields, and the buttons at the bottom. */
export function DialogForm({ form, verb, danger = false, onCancel, children }: DialogFormProps) {
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <DialogBody>
        <FormError error={form.error} />
        {children}
      </DialogBody>
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={form.saving}>
          {verb}
        </Button>
      </DialogFooter>
    </form>
  );
}
