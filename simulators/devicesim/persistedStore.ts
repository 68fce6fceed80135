import { tab } from '#console/core/clientStorage.ts';
import { createStore, type Store } from '#console/core/store.ts';

/** A store whose value survives a reload of this tab. A stored value of the wrong type is ignored. */
export function persistedStore<T>(key: string, initial: T, fits: (value: unknown) => value is T): Store<T> {
  const name = `mooring.devicesim.${key}`;
  const before: unknown = JSON.parse(tab.read(name) ?? 'null');
  const store = createStore(fits(before) ? before : initial);
  store.subscribe(() => tab.write(name, JSON.stringify(store.get())));
  return store;
}

export function isOneOf<T extends string>(...values: readonly T[]) {
  return (value: unknown): value is T => values.some(one => one === value);
}
