import { Link } from '@tanstack/react-router';

/** An app by its id. */
export function AppLink({ projectId, appId }: { projectId: string; appId: string }) {
  return (
    <Link to="/projects/$projectId/apps/$appId" params={{ projectId, appId }}>
      {appId}
    </Link>
  );
}
