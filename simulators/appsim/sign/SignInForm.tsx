import { Button } from '#console/ui/Button.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { CallFailed } from '#contract/client.ts';
import css from '../phone/phone.module.css';
import { MethodButtons } from './MethodButtons.tsx';
import type { StepProps } from './SignedOut.tsx';
import signCss from './sign.module.css';

/** Signs in with a password, if the project allows it, or with a sign-in method. */
export function SignInForm({ simulation, config, typed, go }: StepProps) {
  const form = useForm({
    initial: typed,
    submit: async values => {
      try {
        await simulation.app.signIn(values.email.trim(), values.password);
      } catch (error) {
        if (error instanceof CallFailed && error.reason === 'EMAIL_UNVERIFIED') return go('verify', values);
        if (error instanceof CallFailed && error.reason === 'PASSWORD_EXPIRED') return go('expired', values);
        throw error;
      }
    },
  });
  return (
    <>
      {config.passwordLogin && (
        <form className={css.form} onSubmit={form.onSubmit} noValidate>
          <FormError error={form.error} />
          <TextField label="E-mail" type="email" autoComplete="off" {...form.field('email')} />
          <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
          <div className={css.wide}>
            <Button type="submit" variant="primary" busy={form.saving}>
              Sign in
            </Button>
          </div>
          <div className={signCss.foot}>
            <Button variant="quiet" onClick={() => go('forgot', form.values)}>
              Forgot password?
            </Button>
            {config.registration === 'open' && (
              <Button variant="quiet" onClick={() => go('register', form.values)}>
                Create account
              </Button>
            )}
          </div>
        </form>
      )}
      <MethodButtons simulation={simulation} config={config} />
    </>
  );
}
