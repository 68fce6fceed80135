/** What else a change makes old, by the noun it is about. */
const alsoOld: Record<string, readonly string[]> = {
  // What one may do in a project is part of every read of it.
  members: ['projects'],
  devices: ['deviceClasses', 'stats', 'figures'],
  // A device reads the pairs of its class as well.
  kv: ['config'],
};

/** Which reads, by their path, are old after changes at the given paths. */
export function madeOldBy(changes: readonly string[]): (path: string) => boolean {
  const nouns = new Set<string>();
  const places: string[] = [];
  for (const change of changes) {
    const noun = nounOf(change);
    for (const one of alsoOld[noun] ?? []) nouns.add(one);
    // One device of a hundred thousand says nothing of the others, but for the list of them.
    if (noun === 'devices') places.push(change);
    else nouns.add(noun);
  }
  return path =>
    path.split('/').some(part => nouns.has(part)) ||
    places.some(place => path === '/devices' || path === place || path.startsWith(`${place}/`));
}

/** `/projects/prj_1/members/dvl_2` is about members: every second part is an id. */
function nounOf(path: string): string {
  const parts = path.split('/').filter(Boolean);
  return parts[parts.length - (parts.length % 2 === 0 ? 2 : 1)] ?? '';
}
