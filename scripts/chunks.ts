import type { Plugin } from 'vite';

interface Graph {
  getModuleInfo: (id: string) => { isEntry: boolean; importers: string[] } | null;
}

/** Parts of the kit that only some screens need, heavy enough to be files of their own. */
const apart = /\/console\/ui\/(editor\/|Qr\b|logs\/(?!Lines\.))/;
/** Of the library of queries, which is imported by one name: what only some screens ask with. */
const laterQueries =
  /\/@tanstack\/.*\/(useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/;
/**
 * What screens show of the nouns of other parts: a few words, links and fields, which else would bring all of that part
 * along. Each is the beginning of a path.
 */
const ofOtherParts = [
  ...['console/alerts/alertWords', 'console/alerts/alerts.module', 'console/files/', 'console/membership/'],
  ...['console/devices/deviceNames', 'console/devices/deviceWords', 'console/devices/states/'],
  ...['console/devices/useDevicesLive', 'console/simulators/useDeviceSimulator'],
  ...['console/firmware/BundleLink', 'console/firmware/firmwareWords'],
  ...['console/rollouts/failureWords', 'console/rollouts/rolloutWords'],
  ...['console/people/PersonLink', 'console/people/personWords', 'rules/chosenId'],
  ...['console/schema/schemaProperties', 'console/schema/schemaWords'],
  ...['console/ui/logs/changedField', 'console/ui/logs/logChanges', 'console/ui/logs/logGroups'],
  ...['console/ui/logs/logNames'],
];
const isOfOtherParts = (id: string) => ofOtherParts.some(path => id.includes(`/${path}`));

/** What stands on the screen first behind the login. */
const firstScreen = /\/console\/(layout\/Shell|projects\/Projects)\.tsx$/;

/** Parts of the console by the screens that one goes between. */
const parts = {
  devices: /\/console\/(devices|deviceClasses|keyValues|schema|alerts)\//,
  firmware: /\/console\/(firmware|components|bundles|channels|rollouts)\//,
  clients: /\/console\/(apps|keys|proxyRoutes)\//,
  people: /\/console\/(people|users|homes)\//,
  modules: /\/console\/smartModules\//,
  accounts: /\/console\/accounts\//,
  settings: /\/console\/(settings|logs|auditLogs|httpLogs|team|emailTemplates|userAuthMethods)\//,
};

/**
 * Which file a module goes to. Left alone, the bundler makes a file of every shared module, and the first view is a
 * dozen requests: `start` is all that the entry imports, `frame` what else the list of projects stands on, `kit` the
 * rest of the kit and what the parts show of each other; each other screen is a file by itself.
 */
export const chunkGroups = [
  {
    debugName: 'start',
    name: named('start', (id, graph) => graph.getModuleInfo(id)?.isEntry === true),
    test: (id: string) => !laterQueries.test(id),
    priority: 5,
  },
  // The calls of the API as data, and which of them come first: small, and no style is waited for before they are made.
  {
    debugName: 'calls',
    name: (id: string) => (/\/contract\/|\/routes\/firstReads\./.test(id) ? 'calls' : null),
    priority: 4,
  },
  { debugName: 'frame', name: named('frame', id => firstScreen.test(id)), priority: 3 },
  // Before the parts of the console: each takes along what it stands on, and one would need all of another for it.
  {
    debugName: 'kit',
    name: (id: string) =>
      (id.includes('/console/ui/') && !apart.test(id)) || laterQueries.test(id) || isOfOtherParts(id)
        ? 'kit'
        : null,
    priority: 2,
  },
  // What settings, device logs and modules list their lines with.
  {
    debugName: 'logs',
    name: (id: string) => (id.includes('/console/ui/logs/') ? 'logs' : null),
    priority: 2,
  },
  // What several screens of a part share, which else would be a file each, all of whose names the first file holds.
  ...Object.entries(parts).map(([name, folders]) => ({
    debugName: name,
    name: (id: string) => (folders.test(id) ? name : null),
    minShareCount: 2,
    priority: 1,
  })),
];

/** Everything that one of the roots imports, however far away. */
function named(name: string, isRoot: (id: string, graph: Graph) => boolean) {
  const isNeeded = (id: string, graph: Graph, seen: Set<string>): boolean => {
    if (seen.has(id)) return false;
    seen.add(id);
    const importers = graph.getModuleInfo(id)?.importers ?? [];
    return isRoot(id, graph) || importers.some(importer => isNeeded(importer, graph, seen));
  };
  return (id: string, graph: Graph) => (isNeeded(id, graph, new Set()) ? name : null);
}

/** A file that was renamed would silently fall out of the lists above, and its part would be loaded with others again. */
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
