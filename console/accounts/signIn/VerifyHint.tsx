import css from '#console/accounts/accounts.module.css';
import { reasons } from '#contract/problem.ts';
import { OutboxHint } from './OutboxHint.tsx';
import { ResendVerification } from './ResendVerification.tsx';

/** What is to be done before any project opens; also why one is here and not there. */
export function VerifyHint({ email }: { email: string }) {
  return (
    <>
      <div className={css.hint} role="status">
        <p>
          {reasons.UNVERIFIED_ACCOUNT[1]} We sent a link to <b>{email}</b>. Follow it to verify your address.
        </p>
        <ResendVerification email={email} />
      </div>
      <OutboxHint />
    </>
  );
}
