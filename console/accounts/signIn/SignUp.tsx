import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import css from '#console/accounts/accounts.module.css';
import { call } from '#console/core/client.ts';
import { readCurrentOrganization, useOrganization } from '#console/core/organization.ts';
import { isAddress } from '#console/people/isAddress.ts';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { signUp } from '#contract/account.ts';
import { AuthCard, authForm } from './AuthCard.tsx';
import { NewAccountForm, newAccountFaults } from './NewAccountForm.tsx';
import { OutboxHint } from './OutboxHint.tsx';
import { ResendVerification } from './ResendVerification.tsx';
import { storeSignInName } from './signInName.ts';

export function SignUp() {
  const organization = useOrganization().data;
  const [sentTo, setSentTo] = useState('');
  const form = useForm({
    initial: { name: '', email: '', password: '' },
    check: ({ email, ...account }) => ({
      ...newAccountFaults(account),
      ...(!isAddress(email.trim()) && { email: email.trim() ? 'INVALID_EMAIL' : 'REQUIRED' }),
    }),
    async submit({ name, email, password }) {
      const { id: orgId } = await readCurrentOrganization();
      await call(signUp, { body: { orgId, name: name.trim(), email: email.trim(), password } });
      setSentTo(email.trim());
      storeSignInName(email.trim());
    },
  });
  if (sentTo) return <Done email={sentTo} />;

  return (
    <AuthCard
      title="Create an account"
      sub={organization && subOf(organization.name)}
      foot={
        <>
          Have an account? <Link to="/login">Sign in</Link>
        </>
      }
    >
      <NewAccountForm form={form} verb="Create account">
        <TextField label="E-mail" type="email" autoComplete="username" {...form.field('email')} />
      </NewAccountForm>
    </AuthCard>
  );
}

function Done({ email }: { email: string }) {
  return (
    <AuthCard
      title="Check your e-mail"
      sub={
        <>
          We sent a link to <b>{email}</b>. Follow it to verify your address.
        </>
      }
      foot={
        <>
          Already verified? <Link to="/login">Sign in</Link>
        </>
      }
    >
      <div className={authForm}>
        <OutboxHint />
        <p className={css.muted}>If it does not arrive within a minute, check your spam folder.</p>
        <ResendVerification email={email} />
      </div>
    </AuthCard>
  );
}

/** What the developer gets and, unless the card already names it, from which organization. */
function subOf(organization: string): string {
  const gets = 'Connect devices, ship firmware and run the apps around them.';
  return organization === 'Mooring' ? gets : `You are joining ${organization}. ${gets}`;
}
