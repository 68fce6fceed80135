import { useState } from 'react';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import css from '../phone/phone.module.css';
import type { StepProps } from './SignedOut.tsx';
import signCss from './sign.module.css';
import { useOutbox } from './useOutbox.ts';

/** Asks first for the address, then for the code sent to it and a new password. */
export function ForgotForm(props: StepProps) {
  const { simulation, typed, go } = props;
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({
    initial: { email: typed.email },
    submit: async ({ email }) => {
      await simulation.app.startReset(email.trim());
      setSentTo(email.trim());
    },
  });
  if (sentTo !== undefined) return <NewPassword {...props} email={sentTo} />;
  return (
    <form className={css.form} onSubmit={form.onSubmit} noValidate>
      <p className={css.quiet}>We will send you a code to choose a new password.</p>
      <FormError error={form.error} />
      <TextField label="E-mail" type="email" autoComplete="off" {...form.field('email')} />
      <div className={css.wide}>
        <Button type="submit" variant="primary" busy={form.saving}>
          Send code
        </Button>
        <Button variant="quiet" onClick={() => go('signIn')}>
          Back
        </Button>
      </div>
    </form>
  );
}

function NewPassword({ simulation: { app }, go, email }: StepProps & { email: string }) {
  const hasOutbox = useOutbox();
  const form = useForm({
    initial: { code: '', newPassword: '' },
    submit: async ({ code, newPassword }) => {
      await app.reset({ email, code: code.replaceAll(/\s/g, ''), newPassword });
      await app.signIn(email, newPassword);
    },
  });
  return (
    <form className={css.form} onSubmit={form.onSubmit} noValidate>
      <p className={css.quiet}>
        If <b dir="auto">{email}</b> has an account, a code is on its way there.
      </p>
      {hasOutbox && (
        <div className={css.wide}>
          <a className={buttonClass('plain')} href="/outbox" target="_blank" rel="noopener">
            Open the outbox
          </a>
        </div>
      )}
      <FormError error={form.error} />
      <TextField label="Code" mono inputMode="numeric" autoComplete="one-time-code" {...form.field('code')} />
      <PasswordField label="New password" autoComplete="new-password" {...form.field('newPassword')} />
      <div className={css.wide}>
        <Button type="submit" variant="primary" busy={form.saving}>
          Set password
        </Button>
      </div>
      <div className={signCss.foot}>
        <Button variant="quiet" onClick={() => go('signIn')}>
          Back
        </Button>
      </div>
    </form>
  );
}
