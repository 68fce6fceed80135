import { Button } from '#console/ui/Button.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import css from '../phone/phone.module.css';
import type { StepProps } from './SignedOut.tsx';

/** The password has expired, or was set by somebody else: the user must choose a new one to sign in. */
export function ExpiredForm({ simulation: { app }, typed: { email, password }, go }: StepProps) {
  const form = useForm({
    initial: { oldPassword: password, newPassword: '' },
    submit: async ({ oldPassword, newPassword }) => {
      await app.call('changeUserPassword', { body: { email, oldPassword, newPassword } });
      await app.signIn(email, newPassword);
    },
  });
  return (
    <form className={css.form} onSubmit={form.onSubmit} noValidate>
      <p className={css.quiet}>Your password has expired, or was set for you. Choose a new one.</p>
      <FormError error={form.error} />
      <PasswordField label="Old password" autoComplete="current-password" {...form.field('oldPassword')} />
      <PasswordField label="New password" autoComplete="new-password" {...form.field('newPassword')} />
      <div className={css.wide}>
        <Button type="submit" variant="primary" busy={form.saving}>
          Change password
        </Button>
        <Button variant="quiet" onClick={() => go('signIn')}>
          Back
        </Button>
      </div>
    </form>
  );
}
