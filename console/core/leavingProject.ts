const leaving = new Set<string>();

/** A screen of what is gone is still there until the rendering that the deletion caused, on a busy computer too. */
export const screenGoneMs = 1000;

/**
 * Runs work after which this tab can no longer read what is at a path: an item that is being deleted. It is not reread
 * meanwhile, although the live link tells of the change, as the answer could only be that it is gone.
 */
export function leavingItem(path: string, work: () => Promise<void>): Promise<void> {
  return leavingItems([path], work);
}

/** The same for an item that is deleted with others. */
export async function leavingItems(paths: readonly string[], work: () => Promise<void>): Promise<void> {
  for (const path of paths) leaving.add(path);
  const end = () => {
    for (const path of paths) leaving.delete(path);
    for (const goOn of waiting.splice(0)) goOn();
  };
  try {
    await work();
  } catch (error) {
    end();
    throw error;
  }
  setTimeout(end, screenGoneMs);
}

const waiting: (() => void)[] = [];

/** Resolves once nothing that the read is about is being left. By then, the screen of what was deleted is gone. */
export async function whenNotLeaving(path: string, query?: object): Promise<void> {
  while (isLeaving(path, query)) await new Promise<void>(resolve => waiting.push(resolve));
}

/** The same for work that removes this tab from a project for good: deleting it, or leaving its team. */
export function leavingProject(projectId: string, work: () => Promise<void>): Promise<void> {
  return leavingItem(`/projects/${projectId}`, work);
}

/** Also of reads whose query names the item, such as the homes of a user. */
export function isLeaving(path: string, query: object = {}): boolean {
  const named = new Set<unknown>(Object.values(query));
  return [...leaving].some(
    one => path === one || path.startsWith(`${one}/`) || named.has(one.slice(one.lastIndexOf('/') + 1)),
  );
}

/** The project that a path lies in: `/projects/prj_1/members` and, in the console, `/projects/prj_1/team`. */
export function projectOf(path: string): string | undefined {
  return /^\/projects\/([^/]+)/.exec(path)?.[1];
}
