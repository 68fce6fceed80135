import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '#console/core/client.ts';
import { readCurrentOrganization } from '#console/core/organization.ts';
import { startSession } from '#console/core/session.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { activate, logIn } from '#contract/account.ts';
import { CallFailed } from '#contract/client.ts';
import { AuthCard } from './AuthCard.tsx';
import { BrokenLink } from './BrokenLink.tsx';
import { NewAccountForm, newAccountFaults } from './NewAccountForm.tsx';
import { useLinkParts } from './useLinkParts.ts';

/** The target of an invitation link. */
export function Activate() {
  const { token } = useLinkParts();
  const [email, setEmail] = useState('');
  const form = useForm({
    initial: { name: '', password: '' },
    check: newAccountFaults,
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
    <AuthCard
      title="Accept the invitation"
      sub="Choose a name and a password to get started."
      foot={form.error?.reason === 'INVALID_LINK' && 'Ask the person who invited you to invite you again.'}
    >
      <NewAccountForm form={form} verb="Accept invitation" />
    </AuthCard>
  );
}

/**
 * The address and password are already verified, so nobody has to type them again. If this fails, the sign-in screen is
 * shown.
 */
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
