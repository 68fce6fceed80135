import { Button } from '#console/ui/Button.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import css from '../phone/phone.module.css';
import { madeUpUser } from './madeUpUser.ts';
import type { StepProps } from './SignedOut.tsx';
import signCss from './sign.module.css';
import { useOutbox } from './useOutbox.ts';

/** Registers a user. If e-mails can be read in the outbox, the form can generate a user. */
export function RegisterForm({ simulation, typed, go }: StepProps) {
  const hasOutbox = useOutbox();
  const form = useForm({
    initial: { name: '', ...typed },
    submit: async ({ name, email, password }) => {
      const account = { email: email.trim(), password, ...(name.trim() && { name: name.trim() }) };
      await simulation.app.register(account);
      go('verify', { email: account.email, password });
    },
  });
  function makeUp() {
    for (const [name, value] of Object.entries(madeUpUser()))
      form.set(name as keyof typeof form.values, value);
  }
  return (
    <form className={css.form} onSubmit={form.onSubmit} noValidate>
      {hasOutbox && (
        <div className={css.wide}>
          <Button onClick={makeUp}>Fill in a made-up user</Button>
        </div>
      )}
      <FormError error={form.error} />
      <TextField label="Name" aside="optional" autoComplete="off" {...form.field('name')} />
      <TextField label="E-mail" type="email" autoComplete="off" {...form.field('email')} />
      <PasswordField label="Password" autoComplete="new-password" {...form.field('password')} />
      <div className={css.wide}>
        <Button type="submit" variant="primary" busy={form.saving}>
          Create account
        </Button>
      </div>
      <div className={signCss.foot}>
        <Button variant="quiet" onClick={() => go('signIn')}>
          I have an account
        </Button>
      </div>
    </form>
  );
}
