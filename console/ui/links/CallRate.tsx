import { Link } from '@tanstack/react-router';
import { useProject } from '#console/core/membership/useProject.ts';
import type { Project } from '#contract/project.ts';

/** The permitted number of calls, as a link to its setting. */
export function CallRate({ say }: { say: (project: Project) => string }) {
  const { data: project } = useProject();
  if (!project) return null;
  return (
    <Link to="/projects/$projectId/settings/advanced" params={{ projectId: project.id }}>
      {say(project)}
    </Link>
  );
}
