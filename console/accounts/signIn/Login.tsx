import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '#console/core/client.ts';
import { readCurrentOrganization, useOrganization } from '#console/core/organization.ts';
import { startSession } from '#console/core/session.ts';
import { Button } from '#console/ui/Button.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { logIn } from '#contract/account.ts';
import { CallFailed } from '#contract/client.ts';
import { AuthCard, authForm } from './AuthCard.tsx';
import { storeAuth2FToken } from './auth2FToken.ts';
import { ResendVerification } from './ResendVerification.tsx';
import { dropSignInName, storedSignInName, storeSignInName } from './signInName.ts';

export function Login() {
  const { data: organization, error: lookUpError } = useOrganization();
  const [known] = useState(storedSignInName);
  const form = useLoginForm(known);
  return (
    <AuthCard
      title="Sign in to Mooring"
      sub={subOf(organization?.name)}
      foot={
        organization?.openToSignUps && (
          <>
            New here? <Link to="/signup">Create an account</Link>
          </>
        )
      }
    >
      <form onSubmit={form.onSubmit} className={authForm} noValidate>
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus={!known}
          spellCheck={false}
          {...form.field('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          autoFocus={known !== ''}
          aside={
            <Link to="/reset_password" onClick={() => storeSignInName(form.values.email.trim())}>
              Forgot password?
            </Link>
          }
          {...form.field('password')}
        />
        <Button type="submit" variant="primary" busy={form.saving}>
          Sign in
        </Button>
        <FormError
          error={form.error ?? lookUpError}
          action={
            form.error?.reason === 'UNVERIFIED_ACCOUNT' && <ResendVerification email={form.values.email} />
          }
        />
      </form>
    </AuthCard>
  );
}

function useLoginForm(email: string) {
  const navigate = useNavigate();
  return useForm({
    initial: { email, password: '' },
    check: ({ email, password }) => ({
      ...(!email.trim() && { email: 'REQUIRED' }),
      ...(!password && { password: 'REQUIRED' }),
    }),
    async submit({ email, password }) {
      const { id: orgId } = await readCurrentOrganization();
      const answer = await call(logIn, { body: { email: email.trim(), password, orgId } }).catch(
        inLoginWords,
      );
      dropSignInName();
      if ('auth2FToken' in answer) {
        storeAuth2FToken(answer.auth2FToken);
        await navigate({ to: '/auth2f' });
      } else startSession(answer);
    },
  });
}

/** The organization of the console, unless the card already names it. */
function subOf(organization = 'Mooring'): string {
  return organization === 'Mooring'
    ? 'Devices, firmware and apps in one place'
    : `${organization} · devices, firmware and apps`;
}

/** Some errors without a reason of their own are worded differently on this screen. */
function inLoginWords(error: unknown): never {
  if (error instanceof CallFailed && error.reason === 'DISABLED')
    throw new CallFailed(
      { reason: 'DISABLED', message: 'Login is disabled temporarily.' },
      { status: error.status, requestId: error.requestId },
    );
  throw error;
}
