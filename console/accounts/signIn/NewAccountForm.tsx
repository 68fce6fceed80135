import type { ReactNode } from 'react';
import { newPasswordCode } from '#console/accounts/newPasswordCode.ts';
import { Button } from '#console/ui/Button.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { PasswordStrength } from '#console/ui/form/PasswordStrength.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import type { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { personNameMax } from '#contract/account.ts';
import { authForm } from './AuthCard.tsx';

export interface NewAccount {
  name: string;
  password: string;
}

interface NewAccountFormProps {
  form: Pick<ReturnType<typeof useForm<NewAccount>>, 'field' | 'values' | 'error' | 'saving' | 'onSubmit'>;
  verb: string;
  /** Shown between name and password. */
  children?: ReactNode;
}

/** The name and password of a new account, invited or not. */
export function NewAccountForm({ form, verb, children }: NewAccountFormProps) {
  return (
    <form onSubmit={form.onSubmit} className={authForm} noValidate>
      <TextField
        label="Name"
        autoComplete="name"
        autoFocus
        maxLength={personNameMax}
        {...form.field('name')}
      />
      {children}
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={<PasswordStrength password={form.values.password} />}
        {...form.field('password')}
      />
      <Button type="submit" variant="primary" busy={form.saving}>
        {verb}
      </Button>
      <FormError error={form.error} />
    </form>
  );
}

/** The faults that can be found without asking the server. */
export function newAccountFaults({ name, password }: NewAccount): Partial<NewAccount> {
  return { ...(!name.trim() && { name: 'REQUIRED' }), ...newPasswordCode('password', password) };
}
