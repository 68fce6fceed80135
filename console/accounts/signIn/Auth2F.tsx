import { Link, Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthCodeField } from '#console/accounts/AuthCodeField.tsx';
import { useCodeForm } from '#console/accounts/useCodeForm.ts';
import { call } from '#console/core/client.ts';
import { startSession } from '#console/core/session.ts';
import { Button } from '#console/ui/Button.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { logInWithCode } from '#contract/account.ts';
import { AuthCard, authForm } from './AuthCard.tsx';
import { dropAuth2FToken, storedAuth2FToken } from './auth2FToken.ts';

export function Auth2F() {
  const [token] = useState(storedAuth2FToken);
  const [recovering, setRecovering] = useState(false);
  if (token === undefined) return <Navigate to="/login" replace />;
  const proof = recovering ? <RecoveryCode token={token} /> : <AuthenticatorCode token={token} />;
  return (
    <AuthCard
      title="Two-factor sign-in"
      sub={recovering ? 'Each recovery code works once.' : 'Enter the code from your authenticator app.'}
      foot={<Link to="/login">Sign in as someone else</Link>}
    >
      {proof}
      <Button variant="quiet" onClick={() => setRecovering(!recovering)}>
        {recovering ? 'Use your authenticator' : 'Use a recovery code'}
      </Button>
    </AuthCard>
  );
}

function AuthenticatorCode({ token }: { token: string }) {
  const form = useCodeForm(async code => finish({ token, code }));
  return (
    <form onSubmit={form.onSubmit} className={authForm} noValidate>
      <AuthCodeField form={form} />
      <Button type="submit" variant="primary" busy={form.saving}>
        Verify
      </Button>
      <FormError error={form.error} />
    </form>
  );
}

function RecoveryCode({ token }: { token: string }) {
  const form = useForm({
    initial: { recoveryCode: '' },
    check: ({ recoveryCode }) => (recoveryCode.trim() ? {} : { recoveryCode: 'REQUIRED' }),
    submit: ({ recoveryCode }) => finish({ token, recoveryCode: recoveryCode.trim() }),
  });
  return (
    <form onSubmit={form.onSubmit} className={authForm} noValidate>
      <TextField
        label="Recovery code"
        mono
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('recoveryCode')}
      />
      <Button type="submit" variant="primary" busy={form.saving}>
        Sign in
      </Button>
      <FormError error={form.error} />
    </form>
  );
}

async function finish(body: { token: string; code?: string; recoveryCode?: string }): Promise<void> {
  const answer = await call(logInWithCode, { body });
  dropAuth2FToken();
  startSession(answer);
}
