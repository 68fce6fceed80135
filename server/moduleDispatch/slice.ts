import { moduleTypes } from '#server/moduleTypes/moduleTypes.ts';
import type { Slice } from '#server/slice.ts';
import { ModuleWork } from './moduleWork.ts';

/** From what happens to what modules do. */
export const moduleDispatch: Slice = {
  platformTables: {
    module_shards: 'How far the events of a part of the projects were handed to modules, and by whom.',
  },
  idPrefixes: ['wrk'],
  jobs: platform => {
    const work = new ModuleWork(platform, moduleTypes);
    return { tasks: {}, stop: () => work.stop() };
  },
};
