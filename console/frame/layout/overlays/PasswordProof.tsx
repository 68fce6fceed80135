import { useState } from 'react';
import { codeOf } from '#console/accounts/auth2FCode.ts';
import { call } from '#console/core/client.ts';
import type { ProofOutcome } from '#console/core/passwordProof.ts';
import { lastDeveloper, startSession } from '#console/core/session.ts';
import { Dialog } from '#console/ui/dialog/Dialog.tsx';
import { DialogForm } from '#console/ui/dialog/DialogForm.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { logIn, logInWithCode } from '#contract/account.ts';
import { CallFailed } from '#contract/client.ts';
import { reasons } from '#contract/problem.ts';

interface PasswordProofProps {
  why: 'fresh' | 'ended';
  done: (outcome: ProofOutcome) => void;
}

const words = {
  fresh: {
    title: 'Enter your password again',
    text: 'It has been a while since you entered it, and this changes how your account is protected.',
    verb: 'Continue',
  },
  ended: {
    title: 'Sign in again',
    text: 'Your session has ended. What you typed is still here.',
    verb: 'Sign in',
  },
};

/** The e-mail address is not asked for, so it is not what is wrong. */
function onlyThePassword(error: unknown): never {
  if (!(error instanceof CallFailed) || error.reason !== 'LOGIN_FAILED') throw error;
  const [status, message] = reasons.WRONG_PASSWORD;
  throw new CallFailed(
    { reason: 'WRONG_PASSWORD', message, fields: { password: 'WRONG_PASSWORD' } },
    { status },
  );
}

/** Asks for the password again before a call that needs a proof or a session; the call is repeated afterwards. */
export default function PasswordProof({ why, done }: PasswordProofProps) {
  const { title, text, verb } = words[why];
  const [auth2FToken, setToken] = useState('');
  const developer = lastDeveloper();
  /** Too late for the code: the password is asked for again, and what is typed in the screen below stays. */
  function startAgain(error: unknown): never {
    if (error instanceof CallFailed && error.reason === 'AUTH2F_EXPIRED') setToken('');
    throw error;
  }
  const form = useForm({
    initial: { password: '', code: '' },
    async submit({ password, code }) {
      const answer = auth2FToken
        ? await call(logInWithCode, { body: { token: auth2FToken, code: codeOf(code) } }).catch(startAgain)
        : await call(logIn, {
            body: { email: developer?.email ?? '', password, orgId: developer?.orgId ?? '' },
          }).catch(onlyThePassword);
      if ('auth2FToken' in answer) return setToken(answer.auth2FToken);
      startSession(answer);
      done('proven');
    },
  });

  return (
    <Dialog title={title} onClose={() => done('given up')}>
      <DialogForm form={form} verb={verb} onCancel={() => done('given up')}>
        <p>{text}</p>
        {auth2FToken ? (
          <TextField
            key="code"
            label="Authenticator code"
            mono
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            {...form.field('code')}
          />
        ) : (
          <>
            <input type="hidden" name="username" autoComplete="username" value={developer?.email ?? ''} />
            <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
          </>
        )}
      </DialogForm>
    </Dialog>
  );
}
