import type { Plugin } from 'vite';

interface Graph {
  getModuleInfo: (id: string) => { isEntry: boolean; importers: string[] } | null;
}

/** Parts of the kit that only some screens need, and that are large enough for separate files. */
const apart = /\/console\/ui\/(editor\/|Qr\b|logs\/(?!Lines\.))/;
/** Parts of the query library and the router, each imported as a whole, that the sign-in does not need. */
const laterParts =
  /\/@tanstack\/.*\/(useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver|useMutation|mutationObserver|useBlocker)\.js$/;
/**
 * Texts, links and fields of other parts' nouns that screens show; otherwise, each would load the whole other part.
 * Each entry is the beginning of a path.
 */
const ofOtherParts = [
  'console/devices/alerts/alertWords',
  'console/devices/alerts/alerts.module',
  'console/core/files/',
  'console/core/membership/',
  'console/devices/deviceNames',
  'console/devices/deviceWords',
  'console/devices/states/',
  'console/core/live/useDevicesLive',
  'console/guide/simulators/useDeviceSimulator',
  'console/firmware/BundleLink',
  'console/firmware/firmwareWords',
  'console/firmware/rollouts/failureWords',
  'console/firmware/rollouts/rolloutWords',
  'console/ui/links/PersonLink',
  'console/ui/links/personWords',
  'rules/chosenId',
  'rules/text/byName',
  'console/devices/schema/schemaProperties',
  'console/devices/schema/schemaWords',
  'console/ui/logs/changedField',
  'console/ui/logs/logChanges',
  'console/ui/logs/logGroups',
  'console/ui/logs/logNames',
];
/** The rules are numbers that calls and screens share; each would be a file of its own. */
const ofCalls = /\/contract\/|\/rules\/(\w+\/\w+Limits|time\/(lifetimes|retention))\.|\/routes\/firstReads\./;
const isOfOtherParts = (id: string) => ofOtherParts.some(path => id.includes(`/${path}`));

/** The first screen after signing in. */
const firstScreen = /\/console\/(frame\/layout\/Shell|projects\/Projects)\.tsx$/;

/** Parts of the console, grouped by screens that users switch between. */
const parts = {
  devices: /\/console\/devices\/(?!stateHistory\/|fleet\/)/,
  firmware: /\/console\/firmware\/(?!overview\/)/,
  clients: /\/console\/apps\//,
  people: /\/console\/people\/(?!userAuthMethods\/)/,
  modules: /\/console\/modules\//,
  accounts: /\/console\/accounts\//,
  settings:
    /\/console\/(logs\/[^/]+$|projects\/(settings|auditLogs|httpLogs|team|emailTemplates)\/|people\/userAuthMethods\/)/,
};

/**
 * Assigns modules to files. By default, the bundler creates a file for every shared module, and the first view takes a
 * dozen requests. `start` contains everything the entry imports, `frame` what else the list of projects needs, `kit`
 * the rest of the kit and what the parts show of each other. Each other screen is a separate file.
 */
export const chunkGroups = [
  {
    debugName: 'start',
    name: named('start', (id, graph) => graph.getModuleInfo(id)?.isEntry === true),
    test: (id: string) => !laterParts.test(id),
    priority: 5,
  },
  // The calls of the API as data, their limits, and which of them are made first. Small, and they do not wait for styles.
  {
    debugName: 'calls',
    name: (id: string) => (ofCalls.test(id) ? 'calls' : null),
    priority: 4,
  },
  { debugName: 'frame', name: named('frame', id => firstScreen.test(id)), priority: 3 },
  // Before the parts of the console, because each includes its dependencies, and one part would then need another for
  // them.
  {
    debugName: 'kit',
    name: (id: string) =>
      (id.includes('/console/ui/') && !apart.test(id)) || laterParts.test(id) || isOfOtherParts(id)
        ? 'kit'
        : null,
    priority: 2,
  },
  // The log list used by settings, device logs and modules.
  {
    debugName: 'logs',
    name: (id: string) => (id.includes('/console/ui/logs/') ? 'logs' : null),
    priority: 2,
  },
  // Modules shared by several screens of a part; otherwise, each would be a file, and the first file would have to list
  // them all.
  ...Object.entries(parts).map(([name, folders]) => ({
    debugName: name,
    name: (id: string) => (folders.test(id) ? name : null),
    minShareCount: 2,
    priority: 1,
  })),
];

/** Everything that one of the roots imports, directly or indirectly. */
function named(name: string, isRoot: (id: string, graph: Graph) => boolean) {
  const isNeeded = (id: string, graph: Graph, seen: Set<string>): boolean => {
    if (seen.has(id)) return false;
    seen.add(id);
    const importers = graph.getModuleInfo(id)?.importers ?? [];
    return isRoot(id, graph) || importers.some(importer => isNeeded(importer, graph, seen));
  };
  return (id: string, graph: Graph) => (isNeeded(id, graph, new Set()) ? name : null);
}

/**
 * Checks that the listed files exist: a renamed file would silently drop out of the lists above, and its part would be
 * loaded with others again.
 */
export const chunkNames = (): Plugin => ({
  name: 'names-of-chunks-exist',
  apply: 'build',
  buildEnd(error) {
    const ids = [...this.getModuleIds()];
    if (error || !ids.some(id => id.endsWith('/console/main.tsx'))) return;
    const missing = ofOtherParts.filter(path => !ids.some(id => id.includes(`/${path}`)));
    if (missing.length > 0) this.error(`scripts/chunks.ts names what is not there: ${missing.join(', ')}`);
  },
});
