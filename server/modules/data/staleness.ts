import type { StoredModule } from '#server/modules/smartModules/store.ts';
import { type FetchConfig, fetchEvery } from './fetchConfig.ts';
import { isFrom } from './fetchSource.ts';

/** Fetched data is old after three intervals without newer data. */
const intervals = 3;

interface Fetched extends Pick<StoredModule, 'moduleType'> {
  configData: object;
  at: Date | null;
  /** Where it was fetched from. */
  source: string;
}

/** Whether fetched data is old, or was fetched from another address than the module has now. */
export function isStale({ moduleType, configData, at, source }: Fetched, now: Date): boolean {
  if (moduleType !== 'fetch' || !at) return false;
  const { url = '', part = '', everyS = fetchEvery.defaultS } = configData as Partial<FetchConfig>;
  return !isFrom(source, { url, part }) || now.getTime() - at.getTime() > intervals * everyS * 1000;
}
