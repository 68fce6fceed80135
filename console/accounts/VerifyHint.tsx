import css from './accounts.module.css';
import { ResendVerification } from './ResendVerification.tsx';

export function VerifyHint({ email }: { email: string }) {
  return (
    <div className={css.hint}>
      <p>
        Your e-mail <b>{email}</b> is not verified yet. Follow the link that was sent to it.
      </p>
      <ResendVerification email={email} />
    </div>
  );
}
