import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { readProject } from '#contract/project.ts';

/** The project whose screens one is in. */
export function useProject() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  return useRead(readProject, { params: { projectId } });
}
