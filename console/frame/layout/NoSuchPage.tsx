import { Link } from '@tanstack/react-router';
import { AuthCard } from '#console/accounts/signIn/AuthCard.tsx';
import { buttonClass } from '#console/ui/Button.tsx';
import type { CallFailed } from '#contract/client.ts';

/** The not-found page for unknown addresses; with a failure, the console as a whole could not be opened. */
export function NoSuchPage({ failure }: { failure?: CallFailed | undefined }) {
  return (
    <AuthCard
      title="Nothing is moored here"
      sub={
        failure ? (
          <>
            {failure.message} <code>{failure.reason}</code>
          </>
        ) : (
          'This page does not exist. It may have been deleted, or the address may be mistyped.'
        )
      }
    >
      {!failure && (
        <Link to="/projects" className={buttonClass('primary')}>
          Go to projects
        </Link>
      )}
    </AuthCard>
  );
}
