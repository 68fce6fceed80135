import type { Endpoint } from '#contract/endpoint.ts';
import { may } from './may.ts';
import { useProject } from './useProject.ts';

/** Whether the developer's role in the project is sufficient for a call; false until the project is known. */
export function useMay(endpoint: Endpoint): boolean {
  const { data } = useProject();
  return data !== undefined && may(data.role, endpoint);
}
