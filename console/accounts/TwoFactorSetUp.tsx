import { lazy, useState } from 'react';
import { useSubmit } from '#console/core/api.ts';
import { call, invalidate } from '#console/core/client.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Dialog } from '#console/ui/dialog/Dialog.tsx';
import { DialogForm } from '#console/ui/dialog/DialogForm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { LazyPiece } from '#console/ui/lazy/LazyPiece.tsx';
import { activateAuth2F, verifyAuth2F } from '#contract/account.ts';
import { AuthCodeField } from './AuthCodeField.tsx';
import css from './accounts.module.css';
import { PasswordDialogForm } from './PasswordDialogForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { useCodeForm } from './useCodeForm.ts';

const Qr = lazy(() => import('#console/ui/Qr.tsx'));

const closeUnsaved = {
  title: 'Close without saving the codes?',
  stay: 'Back to the codes',
  go: 'Close without saving',
};

interface Secret {
  auth2FSecret: string;
  auth2FUrl: string;
}

/** Password, then secret and QR code, then a first code; the recovery codes are shown once. */
export function TwoFactorSetUp({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<Secret>();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  function close() {
    // Not before closing, as the refetch replaces the panel that this dialog belongs to.
    if (recoveryCodes) void invalidate(verifyAuth2F);
    onClose();
  }
  return (
    <Dialog
      title={recoveryCodes ? 'Save your recovery codes' : 'Turn on two-factor authentication'}
      onClose={close}
      dirty={recoveryCodes !== undefined}
      ask={closeUnsaved}
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
  const submit = async (body: { password: string }) => onSecret(await call(activateAuth2F, { body }));
  return (
    <PasswordDialogForm verb="Continue" submit={submit} onCancel={onClose}>
      <p>You need an authenticator app. Confirm your password first.</p>
    </PasswordDialogForm>
  );
}

interface EnterCodeProps {
  secret: Secret;
  onVerified: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

function EnterCode({ secret, onVerified, onClose }: EnterCodeProps) {
  // The codes are shown only once, and must arrive although an answer was lost.
  const submit = useSubmit();
  const form = useCodeForm(async code => {
    const { recoveryCodes } = await submit(verifyAuth2F, { body: { code } });
    toast('Two-factor authentication is on');
    onVerified(recoveryCodes);
  });
  return (
    <DialogForm form={form} verb="Turn on two-factor" onCancel={onClose}>
      <p>
        Scan this with your authenticator app, or enter the secret by hand. Then enter the code the app shows.
      </p>
      <div className={css.setUp}>
        <LazyPiece waiting={<div className={css.qrSpace} />}>
          <Qr text={secret.auth2FUrl} label="QR code for the two-factor secret" />
        </LazyPiece>
        <CopyText text={secret.auth2FSecret} label="Copy secret" />
      </div>
      <AuthCodeField form={form} />
    </DialogForm>
  );
}
