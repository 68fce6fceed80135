import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { readProject } from '#contract/project.ts';

/** The project of the current screen; undefined outside projects. */
export function useProject() {
  const { projectId } = useParams({ strict: false }) as { projectId?: string };
  return useRead(
    readProject,
    { params: { projectId: projectId ?? '' } },
    { enabled: projectId !== undefined },
  );
}
