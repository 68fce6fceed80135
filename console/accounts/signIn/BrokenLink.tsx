import { Link } from '@tanstack/react-router';
import { buttonClass } from '#console/ui/Button.tsx';
import { reasons } from '#contract/problem.ts';
import { AuthCard } from './AuthCard.tsx';

/** For an e-mailed link that is incomplete or belongs to another organization. */
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
