import { Link } from '@tanstack/react-router';
import { buttonClass } from '#console/ui/Button.tsx';
import { Chart } from '#console/ui/drawings.tsx';
import { EmptyState } from './EmptyState.tsx';

interface NotFoundProps {
  /** What does not exist: "Device dev_42 does not exist." */
  what?: string | undefined;
}

export function NotFound({ what = 'This page does not exist' }: NotFoundProps) {
  return (
    <EmptyState
      isScreen
      icon={<Chart />}
      title={what}
      action={
        <Link to="/projects" className={buttonClass('plain')}>
          Go to projects
        </Link>
      }
    >
      It may have been deleted, or the address may be mistyped.
    </EmptyState>
  );
}
