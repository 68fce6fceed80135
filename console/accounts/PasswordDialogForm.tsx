import type { ReactNode } from 'react';
import { DialogForm } from '#console/ui/dialog/DialogForm.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';

interface PasswordDialogFormProps {
  verb: string;
  danger?: boolean;
  submit: (body: { password: string }) => Promise<unknown>;
  onCancel: () => void;
  /** What the password is asked for. */
  children: ReactNode;
}

/** Asks for the password before the way of signing in is changed. */
export function PasswordDialogForm({ submit, children, ...rest }: PasswordDialogFormProps) {
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => (password ? {} : { password: 'REQUIRED' }),
    submit,
  });
  return (
    <DialogForm form={form} {...rest}>
      {children}
      <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
    </DialogForm>
  );
}
