import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { newPasswordCode } from '#console/accounts/newPasswordCode.ts';
import { AuthCard, authForm } from '#console/accounts/signIn/AuthCard.tsx';
import { call } from '#console/api.ts';
import { readCurrentOrganization } from '#console/organization.ts';
import { startSession } from '#console/session.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { PasswordStrength } from '#console/ui/form/PasswordStrength.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { activate, logIn } from '#contract/account.ts';
import { CallFailed } from '#contract/client.ts';
import { BrokenLink } from './BrokenLink.tsx';
import { useLinkParts } from './useLinkParts.ts';

/** Where an invitation leads. */
export function Activate() {
  const { token } = useLinkParts();
  const [email, setEmail] = useState('');
  const form = useForm({
    initial: { name: '', password: '' },
    check: ({ name, password }) => ({
      ...(!name.trim() && { name: 'REQUIRED' }),
      ...newPasswordCode('password', password),
    }),
    async submit({ name, password }) {
      const { email } = await call(activate, { body: { token: token ?? '', name: name.trim(), password } });
      if (!(await signedIn(email, password))) setEmail(email);
    },
  });
  if (!token) return <BrokenLink />;
  if (email)
    return (
      <AuthCard
        title="Your account is ready"
        sub={
          <>
            Sign in as <b>{email}</b>.
          </>
        }
      >
        <Link to="/login" className={buttonClass('primary')}>
          Sign in
        </Link>
      </AuthCard>
    );
  return (
    <AuthCard title="Accept the invitation" sub="Choose a name and a password to get started.">
      <form onSubmit={form.onSubmit} className={authForm} noValidate>
        <FormError error={form.error} />
        <TextField label="Name" autoComplete="name" autoFocus maxLength={100} {...form.field('name')} />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          hint={<PasswordStrength password={form.values.password} />}
          {...form.field('password')}
        />
        <Button type="submit" variant="primary" busy={form.saving}>
          Accept invitation
        </Button>
      </form>
    </AuthCard>
  );
}

/** Both are known and proven: nobody is to type them again. Where that does not work there is the sign-in. */
async function signedIn(email: string, password: string): Promise<boolean> {
  try {
    const { id: orgId } = await readCurrentOrganization();
    const answer = await call(logIn, { body: { email, password, orgId } });
    if ('auth2FToken' in answer) return false;
    startSession(answer);
    return true;
  } catch (error) {
    if (error instanceof CallFailed) return false;
    throw error;
  }
}
