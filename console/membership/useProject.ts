import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { readProject } from '#contract/project.ts';

/** The project whose screens one is in; nothing outside of projects. */
export function useProject() {
  const { projectId } = useParams({ strict: false }) as { projectId?: string };
  return useRead(
    readProject,
    { params: { projectId: projectId ?? '' } },
    { enabled: projectId !== undefined },
  );
}
