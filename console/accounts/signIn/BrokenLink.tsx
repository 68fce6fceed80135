import { Link } from '@tanstack/react-router';
import { AuthCard } from '#console/accounts/signIn/AuthCard.tsx';
import { buttonClass } from '#console/ui/Button.tsx';
import { reasons } from '#contract/problem.ts';

/** A mailed link without what it should carry, or of another organization. */
export function BrokenLink({ reason = 'INVALID_LINK' }: { reason?: 'INVALID_LINK' | 'ORG_MISMATCHED' }) {
  return (
    <AuthCard
      title="This link does not work"
      sub={
        <>
          {reasons[reason][1]} <code>{reason}</code>
        </>
      }
    >
      <Link to="/login" className={buttonClass('plain')}>
        Sign in
      </Link>
    </AuthCard>
  );
}
