import { useEffect, useRef, useState } from 'react';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import type { CallFailed } from '#contract/client.ts';
import css from '../phone/phone.module.css';
import { failureOf } from '../simulation.ts';
import { useAct } from '../useAct.ts';
import type { StepProps } from './SignedOut.tsx';
import signCss from './sign.module.css';
import { useOutbox } from './useOutbox.ts';

/** The platform does not say whether the address still has to be verified. */
const resent = 'If the address is not verified yet, another e-mail is on its way';

/**
 * Asks for the code in the e-mail. If the user follows the link in the e-mail instead, the app signs in when they
 * return.
 */
export function VerifyForm(props: StepProps) {
  const { simulation, typed, go } = props;
  const { app } = simulation;
  const { email, password } = typed;
  const hasOutbox = useOutbox();
  const signIn = async () => {
    // Without a password, this is not a registration: the address was changed, or the window was reloaded.
    if (password) await app.signIn(email, password);
    else go('signIn', typed);
  };
  const link = useLinkFollowed(props);
  const act = useAct();
  const resend = () => act.run('resend', () => app.resendCode(email).then(() => toast(resent)));
  const form = useForm({
    initial: { code: '' },
    submit: async ({ code }) => {
      await app.verify({ email, code: code.replaceAll(/\s/g, '') });
      await signIn();
    },
  });
  return (
    <form className={css.form} onSubmit={form.onSubmit} noValidate>
      <p className={css.quiet}>
        We sent an e-mail to <b dir="auto">{email}</b>. Follow its link, or enter its code here.
      </p>
      {hasOutbox && (
        <div className={css.wide}>
          <a className={buttonClass('primary')} href="/outbox" target="_blank" rel="noopener">
            Open the outbox
          </a>
        </div>
      )}
      <FormError error={form.error ?? link.failure ?? act.error} />
      <TextField
        label="Code"
        mono
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="123456"
        {...form.field('code')}
      />
      <div className={css.wide}>
        <Button type="submit" variant={hasOutbox ? 'plain' : 'primary'} busy={form.saving}>
          Verify
        </Button>
        <Button busy={link.busy} onClick={() => void link.check()}>
          I followed the link
        </Button>
      </div>
      <div className={signCss.foot}>
        <Button variant="quiet" busy={act.busy !== undefined} onClick={() => void resend()}>
          Send it again
        </Button>
        <Button variant="quiet" onClick={() => go('signIn', typed)}>
          Back
        </Button>
      </div>
    </form>
  );
}

/** Signs in when the window becomes visible again, in case the link was opened in another one. */
function useLinkFollowed({ simulation: { app }, typed: { email, password }, go }: StepProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallFailed>();
  const running = useRef(false);

  async function check(isAsked = true) {
    if (!password) return go('signIn', { email, password });
    if (running.current) return;
    running.current = true;
    if (isAsked) setBusy(true);
    try {
      await app.signIn(email, password);
    } catch (error) {
      const failed = failureOf(error);
      if (isAsked || failed.reason !== 'EMAIL_UNVERIFIED') setFailure(failed);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  const latest = useRef(check);
  latest.current = check;
  useEffect(() => {
    const looked = () => {
      if (document.visibilityState === 'visible') void latest.current(false);
    };
    window.addEventListener('focus', looked);
    document.addEventListener('visibilitychange', looked);
    return () => {
      window.removeEventListener('focus', looked);
      document.removeEventListener('visibilitychange', looked);
    };
  }, []);
  return { check, busy, failure };
}
