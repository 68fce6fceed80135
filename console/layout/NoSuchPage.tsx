import { Link } from '@tanstack/react-router';
import { AuthCard } from '#console/accounts/signIn/AuthCard.tsx';
import { buttonClass } from '#console/ui/Button.tsx';

/** Anything else shows a not-found page. */
export function NoSuchPage({ what }: { what?: string | undefined }) {
  return (
    <AuthCard
      title="Nothing is moored here"
      sub={what ?? 'This page does not exist. It may have been deleted, or the address may be mistyped.'}
    >
      {!what && (
        <Link to="/projects" className={buttonClass('primary')}>
          Go to projects
        </Link>
      )}
    </AuthCard>
  );
}
