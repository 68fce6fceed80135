const leaving = new Set<string>();

/**
 * Does what takes this tab out of a project for good: deletes it, or leaves its team. That its reads fail meanwhile is no
 * news, and leads nowhere.
 */
export async function leavingProject(projectId: string, work: () => Promise<void>): Promise<void> {
  leaving.add(projectId);
  try {
    await work();
  } finally {
    leaving.delete(projectId);
  }
}

export function isLeaving(projectId: string): boolean {
  return leaving.has(projectId);
}
