import { lazy, Suspense, useState } from 'react';
import { call, invalidate } from '#console/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { activateAuth2F, verifyAuth2F } from '#contract/account.ts';
import { AuthCodeField } from './AuthCodeField.tsx';
import css from './accounts.module.css';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { useCodeForm } from './useCodeForm.ts';

const Qr = lazy(() => import('#console/ui/Qr.tsx'));

interface Secret {
  auth2FSecret: string;
  auth2FUrl: string;
}

/** Password, then secret and QR code, then a first code; the recovery codes are shown once. */
export function TwoFactorSetUp({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<Secret>();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  function close() {
    // Only now, as it takes this dialog's panel to its other state.
    if (recoveryCodes) void invalidate(verifyAuth2F);
    onClose();
  }
  return (
    <Dialog
      title={recoveryCodes ? 'Save your recovery codes' : 'Turn on two-factor authentication'}
      onClose={close}
    >
      {recoveryCodes ? (
        <RecoveryCodes codes={recoveryCodes} onDone={close} />
      ) : secret ? (
        <EnterCode secret={secret} onVerified={setRecoveryCodes} onClose={close} />
      ) : (
        <EnterPassword onSecret={setSecret} onClose={close} />
      )}
    </Dialog>
  );
}

function EnterPassword({ onSecret, onClose }: { onSecret: (secret: Secret) => void; onClose: () => void }) {
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => (password ? {} : { password: 'REQUIRED' }),
    submit: async body => onSecret(await call(activateAuth2F, { body })),
  });
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <DialogBody>
        <p>You need an authenticator app. Confirm your password first.</p>
        <FormError error={form.error} />
        <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          Continue
        </Button>
      </DialogFooter>
    </form>
  );
}

interface EnterCodeProps {
  secret: Secret;
  onVerified: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

function EnterCode({ secret, onVerified, onClose }: EnterCodeProps) {
  const form = useCodeForm(async code => {
    const { recoveryCodes } = await call(verifyAuth2F, { body: { code } });
    toast('Two-factor authentication is on');
    onVerified(recoveryCodes);
  });
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <DialogBody>
        <p>
          Scan this with your authenticator app, or enter the secret by hand. Then enter the code the app
          shows.
        </p>
        <div className={css.setUp}>
          <Suspense fallback={<div className={css.qrSpace} />}>
            <Qr text={secret.auth2FUrl} label="QR code of the two-factor secret" />
          </Suspense>
          <CopyText text={secret.auth2FSecret} label="Copy secret" />
        </div>
        <FormError error={form.error} />
        <AuthCodeField form={form} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          Turn on two-factor
        </Button>
      </DialogFooter>
    </form>
  );
}
