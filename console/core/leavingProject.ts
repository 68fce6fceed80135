const leaving = new Set<string>();

/**
 * Runs work after which this tab can no longer read what is at a path: an item that is being deleted. It is not reread
 * meanwhile, although the live link tells of the change, as the answer could only be that it is gone.
 */
export async function leavingItem(path: string, work: () => Promise<void>): Promise<void> {
  leaving.add(path);
  try {
    await work();
  } finally {
    leaving.delete(path);
  }
}

/** The same for work that removes this tab from a project for good: deleting it, or leaving its team. */
export function leavingProject(projectId: string, work: () => Promise<void>): Promise<void> {
  return leavingItem(`/projects/${projectId}`, work);
}

export function isLeaving(path: string): boolean {
  return [...leaving].some(one => path === one || path.startsWith(`${one}/`));
}

/** The project that a path lies in: `/projects/prj_1/members` and, in the console, `/projects/prj_1/team`. */
export function projectOf(path: string): string | undefined {
  return /^\/projects\/([^/]+)/.exec(path)?.[1];
}
