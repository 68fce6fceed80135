import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { Dialog } from '#console/ui/dialog/Dialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { type Developer, deactivateAuth2F } from '#contract/account.ts';
import css from './accounts.module.css';
import { PasswordDialogForm } from './PasswordDialogForm.tsx';
import { TwoFactorSetUp } from './TwoFactorSetUp.tsx';
import { twoFactorText } from './twoFactorText.ts';

export function TwoFactorPanel({ developer }: { developer: Developer }) {
  const [open, setOpen] = useState(false);
  const on = developer.auth2FActivated;
  return (
    <Panel
      title="Two-factor authentication"
      action={
        !developer.sudoer && (
          <Button variant="quiet" onClick={() => setOpen(true)}>
            {on ? 'Turn off' : 'Turn on'}
          </Button>
        )
      }
    >
      <div className={css.stack}>
        <StatePill
          shape="plain"
          tone={on ? 'ok' : developer.auth2FRequired ? 'warn' : 'off'}
          word={on ? 'On' : 'Off'}
        />
        <p className={css.muted}>{twoFactorText(developer)}</p>
      </div>
      {open &&
        (on ? (
          <TurnOff isRequired={developer.auth2FRequired === true} onClose={() => setOpen(false)} />
        ) : (
          <TwoFactorSetUp onClose={() => setOpen(false)} />
        ))}
    </Panel>
  );
}

/** Turning it off requires the password. */
function TurnOff({ isRequired, onClose }: { isRequired: boolean; onClose: () => void }) {
  const turnOff = useCall(deactivateAuth2F);
  async function submit(body: { password: string }) {
    await turnOff.mutateAsync({ body });
    toast('Two-factor authentication is off');
    onClose();
  }
  return (
    <Dialog title="Turn off two-factor authentication" onClose={onClose}>
      <PasswordDialogForm verb="Turn off two-factor" danger submit={submit} onCancel={onClose}>
        <p>You will sign in with your password alone, and your recovery codes stop working.</p>
        {isRequired && (
          <p>
            Your organization requires two-factor authentication: you cannot open a project until it is on
            again.
          </p>
        )}
      </PasswordDialogForm>
    </Dialog>
  );
}
