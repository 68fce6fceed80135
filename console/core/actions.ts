import { useEffect, useRef } from 'react';
import { createStore } from './store.ts';

/** Something the current screen can do: offered in the palette and, with `keys`, as a shortcut. */
export interface Action {
  label: string;
  /** One key, or a sequence of keys: `c`, `/`, `g d`. */
  keys?: string | undefined;
  run: () => void;
  /** Further search words: what the target contains. */
  also?: string;
  /** Where it is listed; `screen` when absent. */
  group?: 'go' | 'screen' | 'frame';
}

export const actions = createStore<readonly Action[]>([]);

/** Offers actions as long as the component is on screen. */
export function useActions(offered: readonly Action[]): void {
  const latest = useRef(offered);
  latest.current = offered;
  const names = JSON.stringify(offered.map(({ label, keys, group }) => [label, keys, group]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: new callbacks in a render must not register the actions again
  useEffect(() => {
    const registered = latest.current.map((action, at) => ({
      ...action,
      run: () => latest.current[at]?.run(),
    }));
    actions.set([...actions.get(), ...registered]);
    return () => actions.set(actions.get().filter(action => !registered.includes(action)));
  }, [names]);
}
