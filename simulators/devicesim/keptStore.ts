import { tab } from '#console/clientStorage.ts';
import { createStore, type Store } from '#console/store.ts';

/** A store whose value outlives a reload of this tab. What is there but does not fit is let go. */
export function keptStore<T>(key: string, initial: T, fits: (value: unknown) => value is T): Store<T> {
  const name = `mooring.devicesim.${key}`;
  const before: unknown = JSON.parse(tab.read(name) ?? 'null');
  const store = createStore(fits(before) ? before : initial);
  store.subscribe(() => tab.write(name, JSON.stringify(store.get())));
  return store;
}

export function isOneOf<T extends string>(...values: readonly T[]) {
  return (value: unknown): value is T => values.some(one => one === value);
}
