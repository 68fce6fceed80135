import { createContext, type ReactNode, useContext } from 'react';
import { useRead } from '#console/core/api.ts';
import { listFleets, type ProjectFleet } from '#contract/fleet.ts';
import type { Project } from '#contract/project.ts';

/** Undefined: not known yet. Null: the read failed. */
type FleetOf = (projectId: string) => ProjectFleet | null | undefined;

const FleetContext = createContext<FleetOf>(() => undefined);

interface FleetsProps {
  projects: readonly Project[];
  children: ReactNode;
}

const askAgainMs = 30_000;

/**
 * Reads the fleets of all projects of a page in one request once the rows are shown, and provides them to the cells.
 */
export function Fleets({ projects, children }: FleetsProps) {
  const projectIds = projects.map(({ id }) => id).join(',');
  const { data, error } = useRead(
    listFleets,
    { query: { projectIds } },
    { enabled: projectIds !== '', refetchInterval: askAgainMs },
  );
  const known = new Map(data?.map(fleet => [fleet.projectId, fleet]));
  const unknown = error && !data ? null : undefined;
  return <FleetContext value={id => known.get(id) ?? unknown}>{children}</FleetContext>;
}

export const useFleet = (projectId: string) => useContext(FleetContext)(projectId);
