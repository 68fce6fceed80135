import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { newPasswordCode } from '#console/accounts/newPasswordCode.ts';
import { call } from '#console/core/client.ts';
import { readCurrentOrganization } from '#console/core/organization.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { PasswordStrength } from '#console/ui/form/PasswordStrength.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { resetPassword, startPasswordReset } from '#contract/account.ts';
import { AuthCard, authForm } from './AuthCard.tsx';
import { OutboxHint } from './OutboxHint.tsx';
import { storedSignInName } from './signInName.ts';
import { useLinkParts } from './useLinkParts.ts';

type Mode = 'ENTER_EMAIL' | 'EMAIL_SENT' | 'ENTER_PASSWORD';

const back = <Link to="/login">Back to sign-in</Link>;

export function ResetPassword() {
  const { token } = useLinkParts();
  const [mode, setMode] = useState<Mode>(token ? 'ENTER_PASSWORD' : 'ENTER_EMAIL');
  const [email, setEmail] = useState(storedSignInName);
  if (mode === 'ENTER_PASSWORD' && token)
    return <EnterPassword token={token} onNewLink={() => setMode('ENTER_EMAIL')} />;
  if (mode === 'EMAIL_SENT')
    return (
      <AuthCard
        title="Check your e-mail"
        sub={
          <>
            If <b>{email}</b> has an account here, a link to set a new password is on its way. It is valid for
            one hour. If it does not arrive, check your spam folder.
          </>
        }
        foot={back}
      >
        <div className={authForm}>
          <OutboxHint />
          <Button onClick={() => setMode('ENTER_EMAIL')}>Send again</Button>
        </div>
      </AuthCard>
    );
  return (
    <EnterEmail
      start={email}
      onSent={sentTo => {
        setEmail(sentTo);
        setMode('EMAIL_SENT');
      }}
    />
  );
}

function EnterEmail({ start, onSent }: { start: string; onSent: (email: string) => void }) {
  const form = useForm({
    initial: { email: start },
    check: ({ email }) => (email.trim() ? {} : { email: 'REQUIRED' }),
    async submit({ email }) {
      const { id: orgId } = await readCurrentOrganization();
      await call(startPasswordReset, { body: { orgId, email: email.trim() } });
      onSent(email.trim());
    },
  });
  return (
    <AuthCard title="Reset your password" sub="You will get a link to set a new password." foot={back}>
      <form onSubmit={form.onSubmit} className={authForm} noValidate>
        <TextField label="E-mail" type="email" autoComplete="username" autoFocus {...form.field('email')} />
        <Button type="submit" variant="primary" busy={form.saving}>
          Send link
        </Button>
        <FormError error={form.error} />
      </form>
    </AuthCard>
  );
}

function EnterPassword({ token, onNewLink }: { token: string; onNewLink: () => void }) {
  const [done, setDone] = useState(false);
  const form = useForm({
    initial: { newPassword: '' },
    check: ({ newPassword }) => newPasswordCode('newPassword', newPassword),
    async submit({ newPassword }) {
      await call(resetPassword, { body: { token, newPassword } });
      setDone(true);
    },
  });
  if (done)
    return (
      <AuthCard
        title="Your password is set"
        sub="You were signed out everywhere. Sign in with your new password."
      >
        <Link to="/login" className={buttonClass('primary')}>
          Sign in
        </Link>
      </AuthCard>
    );
  return (
    <AuthCard title="Set a new password" sub="This ends all your sessions." foot={back}>
      <form onSubmit={form.onSubmit} className={authForm} noValidate>
        <PasswordField
          label="New password"
          autoComplete="new-password"
          autoFocus
          hint={<PasswordStrength password={form.values.newPassword} />}
          {...form.field('newPassword')}
        />
        <Button type="submit" variant="primary" busy={form.saving}>
          Set password
        </Button>
        <FormError
          error={form.error}
          action={
            form.error?.reason === 'INVALID_LINK' && <Button onClick={onNewLink}>Get a new link</Button>
          }
        />
      </form>
    </AuthCard>
  );
}
