import { Link } from '@tanstack/react-router';
import { useProject } from '#console/membership/useProject.ts';
import type { Project } from '#contract/project.ts';

/** How many calls are allowed, with the way to where it is set. */
export function CallRate({ say }: { say: (project: Project) => string }) {
  const { data: project } = useProject();
  if (!project) return null;
  return (
    <Link to="/projects/$projectId/settings/advanced" params={{ projectId: project.id }}>
      {say(project)}
    </Link>
  );
}
