const leaving = new Set<string>();

/**
 * Runs work that removes this tab from a project for good: deleting it, or leaving its team. Reads of the project are
 * not refetched meanwhile, as the answer could only be that it is gone.
 */
export async function leavingProject(projectId: string, work: () => Promise<void>): Promise<void> {
  leaving.add(projectId);
  try {
    await work();
  } finally {
    leaving.delete(projectId);
  }
}

export function isLeaving(path: string): boolean {
  const projectId = projectOf(path);
  return projectId !== undefined && leaving.has(projectId);
}

/** The project that a path lies in: `/projects/prj_1/members` and, in the console, `/projects/prj_1/team`. */
export function projectOf(path: string): string | undefined {
  return /^\/projects\/([^/]+)/.exec(path)?.[1];
}
