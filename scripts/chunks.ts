interface Graph {
  getModuleInfo: (id: string) => { isEntry: boolean; importers: string[] } | null;
}

/** Parts of the kit that only some screens need, heavy enough to be files of their own. */
const apart = /\/console\/ui\/(code\/|Qr|LogViewer|logViews|useNearScreen)\b/;

/**
 * Which file a module goes to. Left alone, the bundler makes a file of every shared module, and the first view is a
 * dozen requests: `start` is all that the entry imports, `frame` the rest of the kit; each screen is a file by itself.
 */
export const chunkGroups = [
  {
    name: (id: string, graph: Graph) => (isFirstNeeded(id, graph, new Set()) ? 'start' : null),
    priority: 2,
  },
  {
    name: (id: string) => (id.includes('/console/ui/') && !apart.test(id) ? 'frame' : null),
    priority: 1,
  },
];

function isFirstNeeded(id: string, graph: Graph, seen: Set<string>): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const info = graph.getModuleInfo(id);
  if (!info) return false;
  return info.isEntry || info.importers.some(importer => isFirstNeeded(importer, graph, seen));
}
