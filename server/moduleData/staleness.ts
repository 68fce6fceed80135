import type { StoredModule } from '#server/smartModules/store.ts';
import { fetchEvery } from './fetchConfig.ts';

/** Fetched data is old after three intervals without newer data. */
const intervals = 3;

export function isStale(
  { moduleType, configData, at }: Pick<StoredModule, 'moduleType'> & { configData: object; at: Date | null },
  now: Date,
): boolean {
  if (moduleType !== 'fetch' || !at) return false;
  const { everyS } = configData as { everyS?: number };
  return now.getTime() - at.getTime() > intervals * (everyS ?? fetchEvery.defaultS) * 1000;
}
