import { checkAddress } from '#server/modules/smartModules/checkAddress.ts';
import { type ModuleType, moduleType } from '#server/modules/smartModules/moduleType.ts';
import { setDue } from '#server/modules/smartModules/store.ts';
import { findData } from './dataStore.ts';
import { type FetchConfig, fetchConfig } from './fetchConfig.ts';
import { fetchData } from './fetchData.ts';
import { sourceOf } from './fetchSource.ts';
import { isStale } from './staleness.ts';

/** Polls a URL, and keeps its last valid answer. */
export const fetchType: ModuleType<FetchConfig> = moduleType({
  id: 'fetch',
  name: 'Fetch',
  summary: 'Fetches JSON from an address every few minutes, for rules to use.',
  dataSourceModuleTypes: [],
  takesEvents: false,
  isDataSource: true,
  config: fetchConfig,
  // No retries: the next fetch comes soon enough, and a failing URL must not be requested more often than configured.
  attemptsAfterS: [0],
  secretsGoTo: ({ url }) => (URL.canParse(url) ? new URL(url).origin : ''),
  check: async ({ url }, { platform }) => ({ faults: await checkAddress(platform, url, '/url') }),
  dueAfter: ({ everyS }, after) => new Date(after.getTime() + everyS * 1000),
  async changed(db, module, { clock }) {
    if (module.suspended) return;
    const kept = await findData(db, module);
    const isOld = kept && isStale({ ...kept, moduleType: 'fetch', configData: module.config }, clock());
    // A new URL is fetched at once, and so is one whose data became old while the module was suspended.
    if (isOld || kept?.source !== sourceOf(module.config)) await setDue(db, module, clock());
  },
  run: ({ module, now, signal }, platform) => fetchData(platform, module, { now, signal }),
  test: ({ module, now }, platform) => fetchData(platform, module, { now }),
});
