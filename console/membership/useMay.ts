import type { Endpoint } from '#contract/endpoint.ts';
import { may } from './may.ts';
import { useProject } from './useProject.ts';

/** Whether the reader's role in the project is enough for a call; not before the project is known. */
export function useMay(endpoint: Endpoint): boolean {
  const { data } = useProject();
  return data !== undefined && may(data.role, endpoint);
}
