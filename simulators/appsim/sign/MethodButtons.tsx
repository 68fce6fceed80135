import { useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import type { CallFailed } from '#contract/client.ts';
import css from '../phone/phone.module.css';
import { failureOf } from '../simulation.ts';
import type { StepProps } from './SignedOut.tsx';
import signCss from './sign.module.css';

/** Buttons for the project's providers. The browser leaves for the provider and comes back here. */
export function MethodButtons({ simulation, config }: Pick<StepProps, 'simulation' | 'config'>) {
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<CallFailed>();
  const { redirectUri } = simulation;

  async function start(methodId: string) {
    setBusy(methodId);
    setFailure(undefined);
    try {
      window.location.assign(await simulation.app.startMethod(methodId, redirectUri));
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(undefined);
    }
  }
  if (config.methods.length === 0)
    return config.passwordLogin ? null : (
      <p className={css.quiet}>
        The project has no sign-in methods, and passwords are turned off: nobody can sign in.
      </p>
    );
  return (
    <>
      {config.passwordLogin && <p className={signCss.or}>or</p>}
      <FormError error={failure} />
      {failure?.reason === 'REDIRECT_UNKNOWN' && (
        <p className={css.quiet}>
          In the console, add this address to the redirects of the app:{' '}
          <CopyText text={redirectUri} wrap label="Copy redirect" />
        </p>
      )}
      <div className={css.wide}>
        {config.methods.map(({ id, label, iconUrl }) => (
          <Button
            key={id}
            busy={busy === id}
            icon={iconUrl && <img className={signCss.methodIcon} src={iconUrl} alt="" />}
            onClick={() => void start(id)}
          >
            <span dir="auto">{label}</span>
          </Button>
        ))}
      </div>
    </>
  );
}
